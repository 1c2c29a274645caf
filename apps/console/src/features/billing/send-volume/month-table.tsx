import type { MonthVolume } from '@emma/contract/actions/send-volume.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useVolumeFormat } from './use-volume-format.ts'

/** Emails of each month by type, with its limit and price. */
export function MonthTable({ months }: { months: readonly MonthVolume[] }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { month: monthName, money } = useVolumeFormat()
  const text = (key: string) => t(`billing.send_volume.${key}`)
  const hasPrice = months.some(({ price }) => price !== null)
  const hasLimit = months.some(({ limit }) => limit !== null)
  const count = (name: 'total' | 'limit' | 'test', header: string) => ({
    id: name,
    header,
    align: 'end' as const,
    cell: (month: MonthVolume) => format.number(month[name]),
  })
  return (
    <Card title={text('by_month')}>
      <SmallTable
        label={text('by_month')}
        minWidth={860}
        rows={months}
        rowKey={({ invoice_month: month }) => month}
        columns={[
          {
            id: 'month',
            header: text('month'),
            width: 160,
            cell: ({ invoice_month: month }) => monthName(month),
          },
          ...(['campaign', 'recurring', 'transactional'] as const).map(kind => ({
            id: kind,
            header: text(`kinds.${kind}`),
            align: 'end' as const,
            cell: (month: MonthVolume) => format.number(month[kind]),
          })),
          count('total', text('total')),
          ...(hasLimit ? [count('limit', text('limit'))] : []),
          ...(hasPrice
            ? [
                {
                  id: 'price',
                  header: text('price'),
                  align: 'end' as const,
                  cell: ({ price, currency }: MonthVolume) => money(price, currency),
                },
              ]
            : []),
          count('test', text('tests')),
          {
            id: 'status',
            header: text('status'),
            cell: ({ closed_at: closedAt }) => (
              <StatusBadge tone={closedAt === null ? 'active' : 'neutral'}>
                {text(closedAt === null ? 'open' : 'closed')}
              </StatusBadge>
            ),
          },
        ]}
      />
    </Card>
  )
}
