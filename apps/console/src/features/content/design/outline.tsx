import { moduleAt } from '@emma/mail/edit/module-runs.ts'
import type { TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { memo, type ReactNode, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { clipboardEvents } from './block-actions.ts'
import { useComponentLabel } from './component-label.ts'
import classes from './design.module.css'
import { outlineRows, textOf } from './outline-rows.ts'
import type { SyncedRecord } from './use-synced-records.ts'

interface OutlineProps {
  tree: TemplateTree
  selected: TemplateNode | null
  synced: readonly SyncedRecord[]
  onSelect: (node: TemplateNode) => void
  onKey: (event: KeyboardEvent) => void
  onClipboard: (event: ClipboardEvent) => void
}

/**
 * Tree of a template's blocks: arrow keys select, the keys of `useBlockKeys` change the selected one. It follows the
 * template with low priority, so that typing in a long one does not wait for it.
 */
export function Outline(props: OutlineProps): ReactNode {
  const { selected, synced, onSelect, onKey, onClipboard } = props
  const { t } = useTranslation()
  const labelOf = useComponentLabel()
  const tree = useDeferredValue(props.tree)
  const rows = useMemo(() => {
    // A template has many nodes of few kinds.
    const kinds = new Map<string, string>()
    const kindOf = (node: TemplateNode) => {
      const tag = node.type === 'text' ? '' : node.name
      const kind = kinds.get(tag) ?? labelOf(node)
      kinds.set(tag, kind)
      return kind
    }
    return outlineRows(tree).map(row => {
      const token = moduleAt(tree, row.node)
      const block = token === null ? undefined : synced.find(one => one.token === token)
      return block
        ? { ...row, kind: t('content.design.components.synced'), text: block.name }
        : { ...row, kind: kindOf(row.node), text: textOf(tree, row.node) }
    })
  }, [tree, synced, labelOf, t])
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
      onClick={event => {
        const item = (event.target as Element).closest('[role=treeitem]')
        if (item) go([...event.currentTarget.children].indexOf(item))
      }}
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
      {rows.map(({ node, level, kind, text }, index) => (
        <Row
          key={node.id}
          id={rowId(index)}
          level={level}
          isSelected={index === at}
          kind={kind}
          text={text}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  id: string
  level: number
  isSelected: boolean
  kind: string
  text: string
}

const Row = memo(function Row({ id, level, isSelected, kind, text }: RowProps): ReactNode {
  return (
    <li
      id={id}
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      style={{ paddingInlineStart: 8 + 14 * (level - 1) }}
    >
      {kind} <span>{text}</span>
    </li>
  )
})

function rowId(index: number): string {
  return `outline-${index}`
}
