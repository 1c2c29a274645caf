import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Domains that a campaign is sent from in turns; the recipients of one that is not used have another. */
export function PoolCard({ domains }: Pick<CampaignQueue, 'domains'>): ReactNode {
  const { t } = useTranslation()
  if (domains.length === 0) return null
  const text = (key: string) => t(`campaigns.queue.${key}`)
  return (
    <Card title={text('domains')} isFlush>
      <SmallTable
        label={text('domains')}
        rows={domains}
        rowKey={({ name }) => name}
        columns={[
          { id: 'name', header: text('domain'), cell: ({ name }) => name },
          {
            id: 'state',
            header: text('state'),
            cell: ({ fault }) =>
              fault === null ? (
                <StatusBadge tone="active">{text('used')}</StatusBadge>
              ) : (
                <StatusBadge tone="caution">{text(`pool_fault.${fault}`)}</StatusBadge>
              ),
          },
        ]}
      />
    </Card>
  )
}
