import type { BrandValues } from '@emma/contract/client-brand.ts'
import { ApiError } from '@emma/client/api-error.ts'
import { convertSections } from '@emma/contract/actions/content.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { TemplateFormat } from '@emma/mail/edit/template-tree.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ActionIcon, Menu, Title, UnstyledButton } from '@mantine/core'
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../../shell/i18n/text-of-fault.ts'
import { NameDialog } from '../../../../shell/layout/name-dialog.tsx'
import { patchRecord, removeRecord, restoreRecord } from '../../../../shell/resource/record-calls.ts'
import { api } from '../../../../shell/session/api.ts'
import { usePermission } from '../../../../shell/session/use-session.ts'
import { syncedSource } from '../synced-blocks.ts'
import { blockOf, type SyncedRecord } from '../use-synced-records.ts'
import classes from './section-library.module.css'
import { SectionPreview } from './section-preview.tsx'

interface SavedSectionsProps {
  records: readonly SyncedRecord[]
  brand: BrandValues | null
  /** Of the template. */
  format: TemplateFormat
  onPick: (source: string, styles?: readonly string[]) => void
}

/**
 * The client's saved blocks. They are the records of the synced blocks: a copy is inserted by default, which the
 * template owns, and the block itself by its menu. Of a block of MJML, a template in HTML gets a copy in HTML.
 */
export function SavedSections({ records, brand, format, onPick }: SavedSectionsProps): ReactNode {
  const { t } = useTranslation()
  const mayChange = usePermission({ all: ['EmmaPlaceholder:patch'] })
  const mayDelete = usePermission({ all: ['EmmaPlaceholder:delete'] })
  const [renamed, setRenamed] = useState<SyncedRecord | null>(null)
  const convert = useMutation({
    mutationFn: (record: SyncedRecord) =>
      api.call(convertSections, {
        params: { client_id: record.client_id },
        body: { body_mjml: blockOf(record).source },
      }),
    onSuccess: ({ html, styles }) => onPick(html, styles),
    onError: (cause, { name }) =>
      notify.danger(reasonOf(cause), { title: t('content.design.saved_refused', { name }) }),
  })
  if (records.length === 0) return null
  const isForeign = ({ type }: SyncedRecord) => type === 'mjml' && format === 'html'
  const pick = (record: SyncedRecord) => {
    if (isForeign(record)) convert.mutate(record)
    else onPick(blockOf(record).source)
  }
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
            <UnstyledButton
              className={classes.card}
              disabled={convert.isPending}
              onClick={() => pick(record)}
            >
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
                {!isForeign(record) && (
                  <Menu.Item
                    leftSection={<IconRefresh size={16} />}
                    onClick={() => onPick(syncedSource(record.token))}
                  >
                    {t('content.design.saved_synced')}
                  </Menu.Item>
                )}
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

/** Why MJML cannot convert a block. */
function reasonOf(cause: unknown): string {
  const [fault] = cause instanceof ApiError ? cause.fields : []
  return fault ? textOfFault(fault) : errorText(cause)
}
