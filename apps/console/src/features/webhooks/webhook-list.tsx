import { webhook } from '@emma/contract/resources/webhook.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../shell/resource/resource-list.tsx'
import { WebhookState } from './webhook-state.tsx'

/** List of webhooks with their state. */
export default function WebhookList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ResourceList
      resource={webhook}
      texts="webhooks"
      subtitle={t('webhooks.subtitle')}
      columns={[
        'url',
        'description',
        {
          id: 'events',
          width: 130,
          align: 'end',
          cell: row => format.number(row.events.length),
          text: row => row.events.join(' '),
        },
        {
          id: 'active',
          header: t('webhooks.state'),
          width: 170,
          cell: row => <WebhookState record={row} />,
          text: row => row.active,
        },
        {
          id: 'last_success_at',
          width: 180,
          cell: row =>
            row.last_success_at === null ? t('webhooks.never') : format.dateTime(row.last_success_at),
        },
      ]}
      filters={[{ name: 'onlyactive', pinned: false }]}
    />
  )
}
