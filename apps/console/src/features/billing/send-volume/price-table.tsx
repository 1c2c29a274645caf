import type { MonthVolume } from '@emma/contract/actions/send-volume.ts'
import { priceTierLimits } from '@emma/contract/price-tiers.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useVolumeFormat } from './use-volume-format.ts'

/** Graduated prices of a month; nothing without prices. */
export function PriceTable({ month }: { month: MonthVolume }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { money } = useVolumeFormat()
  if (month.price_tiers.length === 0) return null
  return (
    <Card title={t('billing.send_volume.prices')}>
      <SmallTable
        label={t('billing.send_volume.prices')}
        minWidth={320}
        rows={month.price_tiers}
        rowKey={({ from }) => from}
        columns={[
          {
            id: 'from',
            header: t('billing.send_volume.from'),
            // The first email of a tier is the one after those of the tiers before.
            cell: ({ from }) => t('billing.send_volume.from_value', { from: format.number(from + 1) }),
          },
          {
            id: 'price',
            header: t('billing.send_volume.per_thousand'),
            align: 'end',
            cell: ({ price_per_thousand: price }) => money(price, month.currency, priceTierLimits.decimals),
          },
        ]}
      />
    </Card>
  )
}
