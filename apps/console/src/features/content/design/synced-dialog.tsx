import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../shell/layout/form-dialog.tsx'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { patchRecord } from '../../../shell/resource/record-calls.ts'
import { PlaceholderUsage } from '../placeholders/placeholder-usage.tsx'

interface SyncedDialogProps {
  record: RecordOf<typeof placeholder>
  onClose: () => void
}

/** Changes the source of a synced block, beside the records that follow it. */
export function SyncedDialog({ record, onClose }: SyncedDialogProps): ReactNode {
  const { t } = useTranslation()
  const [body, setBody] = useState<Record<string, string>>(record.body)
  const isChanged = JSON.stringify(body) !== JSON.stringify(record.body)
  async function save(): Promise<void> {
    await patchRecord(placeholder, record.module_id, { body }, record.revision)
    await queryClient.invalidateQueries({ queryKey: queryKeys.action(renderUnsaved).slice(0, 2) })
  }
  return (
    <FormDialog
      title={t('content.design.synced_edit', { name: record.name })}
      size="lg"
      isStatic={isChanged}
      canSubmit={isChanged}
      submit={save}
      onClose={onClose}
    >
      {(error, clearError) => (
        <>
          <Text size="sm">{t('content.design.synced_hint')}</Text>
          {Object.entries(body).map(([language, text], index) => (
            <Textarea
              key={language}
              data-autofocus={index === 0 || undefined}
              label={`${record.type.toUpperCase()} (${language})`}
              styles={{ input: { fontFamily: 'monospace' } }}
              autosize
              minRows={4}
              maxRows={16}
              spellCheck={false}
              value={text}
              onChange={event => {
                const { value } = event.currentTarget
                setBody(all => ({ ...all, [language]: value }))
                clearError()
              }}
            />
          ))}
          {error !== null && (
            <Text role="alert" size="sm" c="red">
              {error}
            </Text>
          )}
          <section aria-label={t('content.design.synced_used')}>
            <Text component="h3" size="sm" fw={600}>
              {t('content.design.synced_used')}
            </Text>
            <PlaceholderUsage record={record} />
          </section>
        </>
      )}
    </FormDialog>
  )
}
