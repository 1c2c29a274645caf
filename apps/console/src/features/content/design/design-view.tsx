import { Group, SegmentedControl, Text } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTranslate } from '@emma/ui/i18n.tsx'
import { moduleAt } from '@emma/mail/edit/module-runs.ts'
import type { TemplateNode } from '@emma/mail/edit/template-tree.ts'
import type { MailScheme } from '@emma/ui/mail-preview/prepare-mail.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { fileStorage } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { itemOfMeta } from '../files/file-item.ts'
import { refreshFiles } from '../files/use-files.ts'
import type { PlaceholderLink } from '../placeholders/use-placeholders.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { blockActions, runClipboard, runKey } from './block-actions.ts'
import { BlockToolbar } from './block-toolbar.tsx'
import { Canvas } from './canvas.tsx'
import type { CanvasMail } from './canvas-marks.ts'
import { useComponentLabel } from './component-label.ts'
import classes from './design.module.css'
import { Inspector } from './inspector.tsx'
import { Outline } from './outline.tsx'
import { SectionLibrary } from './sections/section-library.tsx'
import { SyncedMenu } from './synced-menu.tsx'
import { TextToolbar } from './text-toolbar.tsx'
import type { Design } from './use-design.ts'
import { useSyncedRecords } from './use-synced-records.ts'
import { useTextEditing } from './use-text-editing.ts'

interface DesignViewProps {
  design: Design
  /** The last canvas; null before the first, or if the template has an error. */
  mail: CanvasMail | null
  memberTableId: number | null
  /** System links that texts can have; those of campaigns by default. */
  links?: readonly PlaceholderLink[]
  /** Shown beside the width, such as the choice of the recipient. */
  tools?: ReactNode
}

const schemes = ['light', 'dark', 'inverted'] as const satisfies readonly MailScheme[]

/** Visual editor of a template: outline, canvas and inspector over its source. */
export function DesignView({ design, mail, memberTableId, links, tools }: DesignViewProps): ReactNode {
  const { t } = useTranslation()
  const labelOf = useComponentLabel()
  const ofKit = useTranslate()
  const clientId = useClientId()
  const [width, setWidth] = useState<'desktop' | 'mobile'>('desktop')
  const [scheme, setScheme] = useState<MailScheme>('light')
  const [isLibrary, setLibrary] = useState(false)
  /** Token of the synced block whose source is edited. */
  const [synced, setSynced] = useState<string | null>(null)
  const [page, setPage] = useState<Document | null>(null)
  const text = useTextEditing(design, mail, page)
  const { tree, selected } = design
  const blocks = useSyncedRecords(tree.format)
  const actions = blockActions(design, {
    heading: t('content.design.new_heading'),
    text: t('content.design.new_text'),
    button: t('content.design.new_button'),
  })
  const toolbar = {
    ...actions,
    undo: design.undo,
    redo: design.redo,
    editText: () => selected && open(selected),
    openLibrary: () => setLibrary(true),
  }
  // The source can change while a file is uploaded.
  const latest = useRef(toolbar)
  useEffect(() => {
    latest.current = toolbar
  })
  const now = useCallback(() => latest.current, [])
  if (tree.type === 'code')
    return (
      <Text size="sm" c="dimmed">
        {t('content.design.code_only')} {textOfFault(tree.reason)}
      </Text>
    )
  const upload = async (file: File, node: TemplateNode | null) => {
    try {
      const meta = await fileStorage.upload(`/${clientId}/`, file, { strategy: 'keep' })
      await refreshFiles()
      latest.current.addImage(itemOfMeta(meta), node)
    } catch (cause) {
      notify.danger(errorText(cause))
    }
  }
  const syncedAt = (node: TemplateNode) => {
    const token = moduleAt(tree, node)
    return token === null ? undefined : blocks.find(block => block.token === token)
  }
  const kindOf = (node: TemplateNode) =>
    syncedAt(node) ? t('content.design.components.synced') : labelOf(node)
  const open = (node: TemplateNode, within?: Element) => {
    const block = syncedAt(node)
    if (block) setSynced(block.token)
    else text.open(node, within)
  }
  const onKey = (event: KeyboardEvent) => {
    if (text.isOpen) return
    if (event.key === 'Enter' && selected) {
      event.preventDefault()
      open(selected)
    } else runKey(event, actions, design)
  }
  const onClipboard = (event: ClipboardEvent) => {
    if (text.isOpen) return
    const file = event.type === 'paste' ? event.clipboardData?.files[0] : undefined
    if (!file) return runClipboard(event, actions)
    event.preventDefault()
    void upload(file, selected)
  }
  return (
    <>
      <Group justify="space-between" mb="xs">
        {text.isOpen ? (
          <TextToolbar text={text} memberTableId={memberTableId} links={links} />
        ) : (
          <Group gap={4}>
            <BlockToolbar
              format={tree.format}
              hasSelection={selected !== null}
              canUndo={design.undo !== null}
              canRedo={design.redo !== null}
              now={now}
            />
            <SyncedMenu design={design} tree={tree} actions={actions} edited={synced} onEdit={setSynced} />
          </Group>
        )}
        <Group gap="xs">
          {tools}
          <SegmentedControl
            size="xs"
            aria-label={t('content.design.width')}
            data={(['desktop', 'mobile'] as const).map(value => ({
              value,
              label: ofKit(`preview.${value}`),
            }))}
            value={width}
            onChange={value => setWidth(value === 'mobile' ? 'mobile' : 'desktop')}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('content.design.scheme')}
            data={schemes.map(value => ({ value, label: ofKit(`preview.${value}`) }))}
            value={scheme}
            onChange={value => setScheme(schemes.find(one => one === value) ?? 'light')}
          />
        </Group>
      </Group>
      {isLibrary && (
        <SectionLibrary format={tree.format} onPick={actions.addSection} onClose={() => setLibrary(false)} />
      )}
      <div className={classes.design}>
        <Outline
          tree={tree}
          selected={selected}
          synced={blocks}
          onSelect={design.select}
          onKey={onKey}
          onClipboard={onClipboard}
        />
        {mail ? (
          <Canvas
            mail={mail}
            selected={selected}
            width={width === 'mobile' ? 375 : '100%'}
            scheme={scheme}
            isFrozen={text.isOpen}
            page={page}
            onPage={setPage}
            onSelect={design.select}
            onOpen={open}
            onKey={onKey}
            onClipboard={onClipboard}
            onMove={actions.moveTo}
            onFile={(file, node) => void upload(file, node)}
          />
        ) : (
          <div className={classes.stage} />
        )}
        {selected ? (
          <Inspector
            design={design}
            tree={tree}
            node={selected}
            title={kindOf(selected)}
            memberTableId={memberTableId}
          />
        ) : (
          <Text className={classes.inspector} size="sm" c="dimmed">
            {t('content.design.nothing_selected')}
          </Text>
        )}
      </div>
    </>
  )
}
