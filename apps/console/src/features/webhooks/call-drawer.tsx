import { queryKeys } from '@emma/client/query-keys.ts'
import { findWebhookMessage } from '@emma/contract/actions/webhooks.ts'
import { SourceView } from '@emma/ui/code/code-editor.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { Timeline } from '@emma/ui/layout/timeline.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Stack, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { useAttemptText } from './attempt-text.ts'
import classes from './webhooks.module.css'

interface CallDrawerProps {
  webhookId: number
  /** Id of the shown call; null closes the drawer. */
  messageId: number | null
  onClose: () => void
}

/** Drawer of a webhook call: its attempts with responses, and its payload. */
export function CallDrawer({ webhookId, messageId, onClose }: CallDrawerProps): ReactNode {
  const { t } = useTranslation()
  return (
    <DetailsDrawer title={t('webhooks.call.title')} isOpen={messageId !== null} onClose={onClose}>
      {messageId !== null && <CallDetails webhookId={webhookId} messageId={messageId} />}
    </DetailsDrawer>
  )
}

const arrived = { tone: 'positive', icon: <IconCheck size={14} /> } as const
const failed = { tone: 'negative', icon: <IconX size={14} /> } as const

/** Maximum number of events shown of a call. */
const shownEvents = 20

function CallDetails({ webhookId, messageId }: { webhookId: number; messageId: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const attemptText = useAttemptText()
  const params = { id: webhookId, message_id: messageId }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(findWebhookMessage, params),
    queryFn: ({ signal }) => api.call(findWebhookMessage, { params, signal, ignoreCache: true }),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <BlockSkeleton height={320} />
  return (
    <Stack gap="lg">
      <KeyValue
        entries={[
          { label: 'webhook-id', value: data.uid },
          { label: t('webhooks.state'), value: t(`webhooks.calls.${data.state}`) },
          {
            label: t('webhooks.call.next'),
            value: data.state === 'pending' ? format.dateTime(data.next_at) : null,
          },
        ]}
      />
      <section>
        <Title order={3} size="h5" mb="xs">
          {t('webhooks.log.attempts')}
        </Title>
        <Timeline
          label={t('webhooks.log.attempts')}
          entries={data.log.map((attempt, index) => ({
            id: index,
            at: attempt.started_at,
            title: `${attemptText(attempt)} · ${format.number(attempt.duration_ms)} ms`,
            text: attempt.answer === null ? null : <pre className={classes.answer}>{attempt.answer}</pre>,
            ...(attempt.status !== null && attempt.status < 300 ? arrived : failed),
          }))}
        />
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">
          {data.event_count > shownEvents
            ? t('webhooks.call.first', { shown: shownEvents, count: data.event_count })
            : t('webhooks.call.content')}
        </Title>
        <SourceView
          label={t('webhooks.call.content')}
          language="json"
          value={JSON.stringify(data.events.slice(0, shownEvents), null, 2)}
        />
      </section>
    </Stack>
  )
}
