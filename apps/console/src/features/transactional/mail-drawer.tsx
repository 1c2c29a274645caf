import { queryKeys } from '@emma/client/query-keys.ts'
import { findTransactionalMail } from '@emma/contract/actions/transactional.ts'
import { SourceView } from '@emma/ui/code/code-editor.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { MailPreview } from '@emma/ui/mail-preview/mail-preview.tsx'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { useMailReason } from './use-mail-reason.ts'

interface MailDrawerProps {
  transactionalId: number
  /** Id of the shown email; null closes the drawer. */
  mailId: number | null
  onClose: () => void
}

/** Drawer of an email: what became of it, how it looked, and its data. */
export function MailDrawer({ transactionalId, mailId, onClose }: MailDrawerProps): ReactNode {
  const { t } = useTranslation()
  return (
    <DetailsDrawer title={t('transactional.mail.title')} isOpen={mailId !== null} onClose={onClose}>
      {mailId !== null && <MailDetails params={{ id: transactionalId, mail_id: mailId }} />}
    </DetailsDrawer>
  )
}

function MailDetails({ params }: { params: { id: number; mail_id: number } }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const reasonOf = useMailReason()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(findTransactionalMail, params),
    queryFn: ({ signal }) => api.call(findTransactionalMail, { params, signal, ignoreCache: true }),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <BlockSkeleton height={420} />
  const time = (instant: string | null) => (instant === null ? null : format.dateTime(instant))
  return (
    <Stack gap="lg">
      <KeyValue
        entries={[
          { label: t('transactional.log.email'), value: data.email },
          { label: t('transactional.state'), value: t(`transactional.mail_states.${data.state}`) },
          { label: t('transactional.log.reason'), value: reasonOf(data) },
          { label: t('transactional.mail.called'), value: time(data.created_at) },
          {
            label: t('transactional.mail.door'),
            value: t(data.via_smtp ? 'transactional.mail.smtp' : 'transactional.mail.api'),
          },
          {
            label: t('transactional.mail.due'),
            value: data.state === 'scheduled' || data.state === 'waiting' ? time(data.due_at) : null,
          },
          { label: t('transactional.mail.recorded'), value: time(data.recorded_at) },
          { label: t('transactional.log.opened'), value: time(data.opened_at) },
          { label: t('transactional.mail.clicked'), value: time(data.clicked_at) },
          { label: t('transactional.mail.bounced'), value: time(data.bounced_at) },
          {
            label: t('transactional.mail.attachments'),
            value:
              data.attachments.length === 0
                ? null
                : data.attachments
                    .map(({ filename, size }) => `${filename} (${format.bytes(size)})`)
                    .join(', '),
          },
        ]}
      />
      {data.rendered ? (
        <MailPreview {...data.rendered} height={460} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('transactional.mail.deleted')}
        </Text>
      )}
      {data.data && (
        <section>
          <Title order={3} size="h5" mb="xs">
            {t('transactional.fields_of_data')}
          </Title>
          <SourceView
            label={t('transactional.fields_of_data')}
            language="json"
            height={220}
            value={JSON.stringify(data.data, null, 2)}
          />
        </section>
      )}
    </Stack>
  )
}
