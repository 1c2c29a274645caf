import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { BlockActions } from './block-actions.ts'
import {
  detach,
  replaceBySynced,
  sectionSourceOf,
  type SyncedBlock,
  syncedSource,
  tokenFor,
  tokensOf,
} from './synced-blocks.ts'
import { SyncedDialog } from './synced-dialog.tsx'
import type { Design } from './use-design.ts'

interface SyncedMenuProps {
  design: Design
  tree: TemplateTree
  actions: BlockActions
}

/** Menu of the client's synced blocks: insert, detach, edit, and save the selected section as one. */
export function SyncedMenu({ design, tree, actions }: SyncedMenuProps): ReactNode {
  const { t } = useTranslation()
  const mayRead = usePermission({ all: ['EmmaPlaceholder:get'] })
  const mayCreate = usePermission({ all: ['EmmaPlaceholder:post'] })
  const mayChange = usePermission({ all: ['EmmaPlaceholder:patch'] })
  const [isSaving, setSaving] = useState(false)
  const [edited, setEdited] = useState<number | null>(null)
  const records = useSyncedRecords(mayRead)
  const blocks = records.map(blockOf)
  const opened = records.find(({ module_id }) => module_id === edited)
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
            used.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => setEdited(id)}>
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
      {opened && <SyncedDialog record={opened} onClose={() => setEdited(null)} />}
      {isSaving && section !== null && (
        <SaveDialog
          source={section}
          onSaved={token => design.edit(current => replaceBySynced(current, design.selected, token))}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

interface SaveDialogProps {
  source: string
  onSaved: (token: string) => void
  onClose: () => void
}

/** Asks for a name and saves a section as synced block. */
function SaveDialog({ source, onSaved, onClose }: SaveDialogProps): ReactNode {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function save(): Promise<void> {
    setBusy(true)
    try {
      const token = tokenFor(name)
      await api.create(placeholder, { name: name.trim(), token, type: 'mjml', body: { en: source } })
      await queryClient.invalidateQueries({ queryKey: queryKeys.lists(placeholder) })
      onSaved(token)
      onClose()
    } catch (cause) {
      setError(errorText(cause))
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('content.design.synced_save')} isOpen onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <Text size="sm">{t('content.design.synced_hint')}</Text>
          <TextInput
            data-autofocus
            label={t('content.placeholder.fields.name')}
            maxLength={255}
            value={name}
            error={error}
            onChange={event => {
              setName(event.currentTarget.value)
              setError(null)
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('content.files.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
              {t('content.files.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function useSyncedRecords(enabled: boolean): RecordOf<typeof placeholder>[] {
  const { data } = useQuery({
    queryKey: [...queryKeys.lists(placeholder), 'synced'],
    queryFn: ({ signal }) => api.listAll(placeholder, { filters: { type: ['mjml'] } }, { signal }),
    enabled,
  })
  return data ?? []
}

function blockOf({ module_id: id, name, token, body }: RecordOf<typeof placeholder>): SyncedBlock {
  return { id, name, token, source: Object.values(body).find(text => text !== '') ?? '' }
}
