import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { clipboardEvents } from './block-actions.ts'
import classes from './design.module.css'
import { outlineRows, textOf } from './outline-rows.ts'

interface OutlineProps {
  tree: TemplateTree
  selected: TemplateNode | null
  /** Name of a node's kind. */
  kindOf: (node: TemplateNode) => string
  /** Name of the synced block that a node is; null for others. */
  syncedName: (node: TemplateNode) => string | null
  onSelect: (node: TemplateNode) => void
  onKey: (event: KeyboardEvent) => void
  onClipboard: (event: ClipboardEvent) => void
}

/** Tree of a template's blocks: arrow keys select, the keys of `useBlockKeys` change the selected one. */
export function Outline(props: OutlineProps): ReactNode {
  const { tree, selected, kindOf, syncedName, onSelect, onKey, onClipboard } = props
  const { t } = useTranslation()
  const rows = useMemo(() => outlineRows(tree), [tree])
  const list = useRef<HTMLUListElement>(null)
  const at = rows.findIndex(({ node }) => node.id === selected?.id)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  // Without a text selection, the events of the clipboard are those of the body.
  const clipboard = useEffectEvent((event: ClipboardEvent) => {
    if (document.activeElement === list.current) onClipboard(event)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => clipboard(event)
    for (const type of clipboardEvents) document.addEventListener(type, listener)
    return () => {
      for (const type of clipboardEvents) document.removeEventListener(type, listener)
    }
  }, [])
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row) onSelect(row.node)
  }
  return (
    <ul
      ref={list}
      className={classes.outline}
      role="tree"
      tabIndex={0}
      aria-label={t('content.design.outline')}
      aria-activedescendant={at >= 0 ? rowId(at) : undefined}
      onKeyDown={event => {
        const { key, altKey } = event
        const target = altKey
          ? undefined
          : { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
        if (target === undefined) return onKey(event.nativeEvent)
        event.preventDefault()
        go(target)
      }}
    >
      {rows.map(({ node, level }, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the focus and the keys
        <li
          key={node.id}
          id={rowId(index)}
          role="treeitem"
          aria-level={level}
          aria-selected={index === at}
          style={{ paddingInlineStart: 8 + 14 * (level - 1) }}
          onClick={() => onSelect(node)}
        >
          {kindOf(node)} <span>{syncedName(node) ?? textOf(tree, node)}</span>
        </li>
      ))}
    </ul>
  )
}

function rowId(index: number): string {
  return `outline-${index}`
}
