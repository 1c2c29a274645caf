import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../editor/campaign-steps.ts'
import { RecipientsLink } from './recipients-link.tsx'

interface DeferralsCardProps {
  campaign: Campaign
  queue: CampaignQueue
}

/** Deferred emails by reply: how many, how often they were tried, and when they are tried again. */
export function DeferralsCard({ campaign, queue }: DeferralsCardProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { deferrals, has_more_deferrals: hasMore } = queue
  if (deferrals.length === 0) return null
  const text = (key: string) => t(`campaigns.queue.${key}`)
  const nameOf = (provider_id: number, name: string) =>
    provider_id === 0 ? t('campaigns.monitor.other') : name
  return (
    <Card title={text('deferrals')} isFlush>
      {hasMore && (
        <Text size="sm" c="dimmed" px="md" pt="sm">
          {text('more_deferrals')}
        </Text>
      )}
      <SmallTable
        label={text('deferrals')}
        rows={deferrals}
        rowKey={row => JSON.stringify([row.provider_id, row.code, row.enhanced, row.class])}
        minWidth={720}
        columns={[
          {
            id: 'provider',
            header: t('campaigns.monitor.provider'),
            width: 150,
            cell: row => nameOf(row.provider_id, row.provider),
          },
          {
            id: 'reply',
            header: text('reply'),
            cell: ({ code, enhanced, reply }) => (
              <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                {reply ?? [code, enhanced].filter(part => part !== null).join(' ') ?? '–'}
              </Text>
            ),
          },
          {
            id: 'count',
            header: text('emails'),
            align: 'end',
            width: 90,
            cell: row => (
              <RecipientsLink
                campaign={campaign}
                count={row.count}
                title={`${nameOf(row.provider_id, row.provider)}: ${text('deferred')}`}
                who={{ state: 'deferred', provider_id: row.provider_id }}
              />
            ),
          },
          {
            id: 'attempts',
            header: text('attempts'),
            align: 'end',
            width: 90,
            cell: row => format.number(row.attempts),
          },
          { id: 'next', header: text('next'), width: 160, cell: row => format.dateTime(row.next_at) },
        ]}
      />
    </Card>
  )
}
