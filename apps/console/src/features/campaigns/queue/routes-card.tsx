import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Waits } from './waits.tsx'

type Route = CampaignQueue['routes'][number]

interface RoutesCardProps {
  routes: readonly Route[]
  onEnded: () => void
}

/** Mail classes that a campaign is sent with, or its sending service: which one is used, and what holds it back. */
export function RoutesCard({ routes, onEnded }: RoutesCardProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string, values: Record<string, unknown> = {}) => t(`campaigns.queue.${key}`, values)
  if (routes.length === 0) return null
  return (
    <Card title={text('routes')} isFlush>
      <SmallTable
        label={text('routes')}
        rows={routes}
        rowKey={route => `${route.mailclass_id}/${route.esp_id}`}
        minWidth={620}
        columns={[
          { id: 'name', header: text('route'), width: 180, cell: ({ name }) => name ?? '–' },
          {
            id: 'state',
            header: text('state'),
            width: 120,
            cell: route => (
              <StatusBadge tone={route.is_used ? 'active' : 'neutral'}>{text(stateOf(route))}</StatusBadge>
            ),
          },
          {
            id: 'waits',
            header: text('reason'),
            cell: ({ waits, warmup, name }) => (
              <>
                {warmup &&
                  text('warmup', { sent: format.number(warmup.sent), volume: format.number(warmup.volume) })}
                {(waits.length > 0 || !warmup) && (
                  <Waits waits={waits} object={name ?? ''} onEnded={onEnded} />
                )}
              </>
            ),
          },
        ]}
      />
    </Card>
  )
}

function stateOf({ is_used, waits }: Route): string {
  if (is_used) return 'used'
  return waits.length > 0 ? 'stopped' : 'reserve'
}
