import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { renderUnsaved } from '@emma/contract/actions/content.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { queryClient } from '../../../shell/resource/query-client.ts'
import { api } from '../../../shell/session/api.ts'
import { PlaceholderUsage } from '../placeholders/placeholder-usage.tsx'

interface SyncedDialogProps {
  record: RecordOf<typeof placeholder>
  onClose: () => void
}

/** Changes the source of a synced block, beside the records that follow it. */
export function SyncedDialog({ record, onClose }: SyncedDialogProps): ReactNode {
  const { t } = useTranslation()
  const [body, setBody] = useState<Record<string, string>>(record.body)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isChanged = JSON.stringify(body) !== JSON.stringify(record.body)
  async function save(): Promise<void> {
    setBusy(true)
    try {
      await api.patch(placeholder, record.module_id, { body }, { revision: record.revision })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.lists(placeholder) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.action(renderUnsaved).slice(0, 2) }),
      ])
      onClose()
    } catch (cause) {
      setError(errorText(cause))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('content.design.synced_edit', { name: record.name })}
      size="lg"
      isOpen
      onClose={onClose}
      isStatic={isChanged}
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          <Text size="sm">{t('content.design.synced_hint')}</Text>
          {Object.entries(body).map(([language, text], index) => (
            <Textarea
              key={language}
              data-autofocus={index === 0 || undefined}
              label={`MJML (${language})`}
              styles={{ input: { fontFamily: 'monospace' } }}
              autosize
              minRows={4}
              maxRows={16}
              spellCheck={false}
              value={text}
              onChange={event => {
                const { value } = event.currentTarget
                setBody(all => ({ ...all, [language]: value }))
                setError(null)
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('content.files.cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isChanged}>
              {t('content.files.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
