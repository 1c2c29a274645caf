import {
  listWebhookMessages,
  replayWebhookMessage,
  webhookMessageStates,
  type WebhookMessageRow,
} from '@emma/contract/actions/webhooks.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column, RowAction } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconRepeat } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { LogList } from '../../shell/resource/log-list.tsx'
import { queryClient } from '../../shell/resource/query-client.ts'
import { useRights } from '../../shell/session/use-rights.ts'
import { useUrlDrawer } from '../../shell/layout/use-url-drawer.ts'
import { useAttemptText } from './attempt-text.ts'
import { CallDrawer } from './call-drawer.tsx'
import { ReplayButton } from './replay-button.tsx'
import type { Webhook } from './webhook-state.tsx'
import classes from './webhooks.module.css'

const tones = { pending: 'active', delivered: 'positive', failed: 'negative' } as const

/** List of a webhook's calls of the last 14 days; each can be repeated. */
export function WebhookLog({ record }: { record: Webhook }): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(webhook)
  const drawer = useUrlDrawer('call')
  const openId = typeof drawer.value === 'number' ? drawer.value : null
  const { webhook_id: id } = record

  async function replay(messageId: number): Promise<void> {
    await api.call(replayWebhookMessage, { params: { id, message_id: messageId } })
    await queryClient.invalidateQueries({ queryKey: ['action', listWebhookMessages.name] })
    notify.success(t('webhooks.log.replayed', { count: 1 }))
  }

  const actions = (row: WebhookMessageRow): RowAction[] =>
    mayChange && record.active
      ? [
          {
            id: 'replay',
            label: t('webhooks.log.replay'),
            icon: <IconRepeat size={16} />,
            run: () => replay(row.message_id),
          },
        ]
      : []

  return (
    <>
      {mayChange && record.active && (
        <div className={classes.log}>
          <ReplayButton id={id} />
        </div>
      )}
      <LogList
        name="webhook-log"
        label={t('webhooks.tabs.log')}
        columns={useColumns()}
        action={listWebhookMessages}
        id={id}
        states={webhookMessageStates}
        stateLabel={t('webhooks.state')}
        stateText={state => t(`webhooks.calls.${state}`)}
        load={(query, options) => api.call(listWebhookMessages, { params: { id }, query, ...options })}
        rowKey={row => row.message_id}
        rowLabel={row => row.uid}
        onOpen={row => drawer.open(row.message_id)}
        rowActions={actions}
        isSearchable={false}
        isBusy={row => row.state === 'pending'}
        empty={{ title: t('webhooks.log.empty_title'), text: t('webhooks.log.empty_text') }}
      />
      <CallDrawer webhookId={id} messageId={openId} onClose={drawer.close} />
    </>
  )
}

function useColumns(): Column<WebhookMessageRow>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const attemptText = useAttemptText()
  return [
    {
      id: 'created_at',
      header: t('webhooks.log.time'),
      width: 190,
      cell: row => format.dateTime(row.created_at),
    },
    {
      id: 'types',
      header: t('webhooks.fields.events'),
      cell: row =>
        `${row.types.join(', ')}${row.event_count > 1 ? ` (${format.number(row.event_count)})` : ''}`,
    },
    {
      id: 'state',
      header: t('webhooks.state'),
      width: 150,
      cell: row => <StatusBadge tone={tones[row.state]}>{t(`webhooks.calls.${row.state}`)}</StatusBadge>,
    },
    {
      id: 'last',
      header: t('webhooks.log.answer'),
      cell: row => (row.last === null ? null : attemptText(row.last)),
    },
    {
      id: 'duration',
      header: t('webhooks.log.duration'),
      width: 110,
      align: 'end',
      cell: row => (row.last === null ? null : `${format.number(row.last.duration_ms)} ms`),
    },
    {
      id: 'attempts',
      header: t('webhooks.log.attempts'),
      width: 110,
      align: 'end',
      cell: row => format.number(row.attempts),
    },
  ]
}
