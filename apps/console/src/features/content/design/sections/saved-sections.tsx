import type { BrandValues } from '@emma/contract/client-brand.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ActionIcon, Menu, Title, UnstyledButton } from '@mantine/core'
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../shell/i18n/error-text.ts'
import { NameDialog } from '../../../../shell/layout/name-dialog.tsx'
import { patchRecord, removeRecord, restoreRecord } from '../../../../shell/resource/record-calls.ts'
import { usePermission } from '../../../../shell/session/use-session.ts'
import { syncedSource } from '../synced-blocks.ts'
import { blockOf, type SyncedRecord } from '../use-synced-records.ts'
import classes from './section-library.module.css'
import { SectionPreview } from './section-preview.tsx'

interface SavedSectionsProps {
  records: readonly SyncedRecord[]
  brand: BrandValues | null
  onPick: (source: string) => void
}

/**
 * The client's saved blocks. They are the records of the synced blocks: a copy is inserted by default, which the
 * template owns, and the block itself by its menu.
 */
export function SavedSections({ records, brand, onPick }: SavedSectionsProps): ReactNode {
  const { t } = useTranslation()
  const mayChange = usePermission({ all: ['EmmaPlaceholder:patch'] })
  const mayDelete = usePermission({ all: ['EmmaPlaceholder:delete'] })
  const [renamed, setRenamed] = useState<SyncedRecord | null>(null)
  if (records.length === 0) return null
  const remove = async ({ module_id, name }: SyncedRecord) => {
    const restore = () => {
      restoreRecord(placeholder, module_id).catch((cause: unknown) => notify.danger(errorText(cause)))
    }
    try {
      await removeRecord(placeholder, module_id)
      notify.success(t('action.deleted', { name }), {
        action: { label: t('content.design.undo'), run: restore },
      })
    } catch (cause) {
      notify.danger(errorText(cause))
    }
  }
  return (
    <section aria-label={t('content.design.saved')}>
      <Title order={3} size="h6" mt="md" mb="xs">
        {t('content.design.saved')}
      </Title>
      <ul className={classes.grid}>
        {records.map(record => (
          <li key={record.module_id} className={classes.saved}>
            <UnstyledButton className={classes.card} onClick={() => onPick(blockOf(record).source)}>
              <SectionPreview source={blockOf(record).source} brand={brand} />
              {record.name}
            </UnstyledButton>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon
                  className={classes.savedMenu ?? ''}
                  size="sm"
                  variant="default"
                  aria-label={t('content.design.saved_actions', { name: record.name })}
                >
                  <IconDots size={14} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconRefresh size={16} />}
                  onClick={() => onPick(syncedSource(record.token))}
                >
                  {t('content.design.saved_synced')}
                </Menu.Item>
                {mayChange && (
                  <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenamed(record)}>
                    {t('content.design.saved_rename')}
                  </Menu.Item>
                )}
                {mayDelete && (
                  <Menu.Item
                    c="var(--emma-negative)"
                    leftSection={<IconTrash size={16} />}
                    onClick={() => void remove(record)}
                  >
                    {t('action.delete')}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          </li>
        ))}
      </ul>
      {renamed && (
        // The token of a block stays: templates name it.
        <NameDialog
          title={t('content.design.saved_rename')}
          label={t('content.placeholder.fields.name')}
          initial={renamed.name}
          save={name => patchRecord(placeholder, renamed.module_id, { name }, renamed.revision)}
          onClose={() => setRenamed(null)}
        />
      )}
    </section>
  )
}
