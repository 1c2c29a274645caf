import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { moduleAt } from '@emma/mail/edit/module-runs.ts'
import type { TemplateFormat, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { Button, Menu, Switch, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NameDialog } from '../../../shell/layout/name-dialog.tsx'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { BlockActions } from './block-actions.ts'
import {
  detach,
  replaceBySynced,
  sectionSourceOf,
  syncedSource,
  tokenFor,
  tokensOf,
} from './synced-blocks.ts'
import { SyncedDialog } from './synced-dialog.tsx'
import type { Design } from './use-design.ts'
import { blockOf, useSyncedRecords } from './use-synced-records.ts'

interface SyncedMenuProps {
  design: Design
  tree: TemplateTree
  actions: BlockActions
  /** Token of the block whose source is edited. */
  edited: string | null
  onEdit: (token: string | null) => void
}

/** Menu of the client's synced blocks: insert, detach, edit, and save the selected section as one. */
export function SyncedMenu({ design, tree, actions, edited, onEdit }: SyncedMenuProps): ReactNode {
  const { t } = useTranslation()
  const mayRead = usePermission({ all: ['EmmaPlaceholder:get'] })
  const mayCreate = usePermission({ all: ['EmmaPlaceholder:post'] })
  const mayChange = usePermission({ all: ['EmmaPlaceholder:patch'] })
  const [isSaving, setSaving] = useState(false)
  const records = useSyncedRecords(tree.format)
  const blocks = records.map(blockOf)
  const opened = mayChange ? records.find(({ token }) => token === edited) : undefined
  const used = blocks.filter(({ token }) => tokensOf(tree).includes(token))
  const section = sectionSourceOf(tree, design.selected)
  if (!mayRead) return null
  return (
    <>
      <Menu position="bottom-start" width={300}>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} />}>
            {t('content.design.synced')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          <Menu.Label>{t('content.design.synced_insert')}</Menu.Label>
          {blocks.length === 0 && <Menu.Item disabled>{t('content.design.synced_none')}</Menu.Item>}
          {blocks.map(({ id, name, token }) => (
            <Menu.Item key={id} onClick={() => actions.addSection(syncedSource(token))}>
              {name}
            </Menu.Item>
          ))}
          {used.length > 0 && <Menu.Label>{t('content.design.synced_here')}</Menu.Label>}
          {used.map(block => (
            <Menu.Item key={block.id} onClick={() => design.edit(current => detach(current, block))}>
              {t('content.design.synced_detach', { name: block.name })}
            </Menu.Item>
          ))}
          {mayChange &&
            used.map(({ id, name, token }) => (
              <Menu.Item key={id} onClick={() => onEdit(token)}>
                {t('content.design.synced_edit', { name })}
              </Menu.Item>
            ))}
          {mayCreate && (
            <>
              <Menu.Divider />
              <Menu.Item disabled={section === null} onClick={() => setSaving(true)}>
                {t('content.design.synced_save')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {opened && <SyncedDialog record={opened} onClose={() => onEdit(null)} />}
      {isSaving && section !== null && (
        <SaveDialog
          source={section}
          format={tree.format}
          onSaved={token =>
            design.edit(current => replaceBySynced(current, design.selected, token), {
              select: changed => changed.nodes.find(node => moduleAt(changed, node) === token),
            })
          }
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

interface SaveDialogProps {
  source: string
  format: TemplateFormat
  onSaved: (token: string) => void
  onClose: () => void
}

/** Asks for a name and saves a section as synced block. */
function SaveDialog({ source, format, onSaved, onClose }: SaveDialogProps): ReactNode {
  const { t } = useTranslation()
  const [isSynced, setSynced] = useState(true)
  async function save(name: string): Promise<void> {
    const token = tokenFor(name)
    const record = { name, token, type: format, body: { en: source } }
    await saveRecord(placeholder, null, record, { changed: record, revision: undefined })
    if (isSynced) onSaved(token)
  }
  return (
    <NameDialog
      title={t('content.design.synced_save')}
      label={t('content.placeholder.fields.name')}
      hint={<Text size="sm">{t('content.design.synced_hint')}</Text>}
      save={save}
      onClose={onClose}
    >
      <Switch
        label={t('content.design.synced_here_too')}
        description={t('content.design.synced_here_too_hint')}
        checked={isSynced}
        onChange={event => setSynced(event.currentTarget.checked)}
      />
    </NameDialog>
  )
}
