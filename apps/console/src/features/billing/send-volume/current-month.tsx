import { type MonthVolume, volumeWarning } from '@emma/contract/actions/send-volume.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { Alert, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useVolumeFormat } from './use-volume-format.ts'

/** Figures of the current month until now, and how much of its limit is used. */
export function CurrentMonth({ month }: { month: MonthVolume }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { month: monthName, money } = useVolumeFormat()
  const text = (key: string) => t(`billing.send_volume.${key}`)
  return (
    <Card title={t('billing.send_volume.so_far', { month: monthName(month.invoice_month) })}>
      <Stack gap="md">
        <Figures>
          <Figure label={text('billed')} value={format.number(month.total)} />
          {month.price !== null && (
            <Figure label={text('price')} value={money(month.price, month.currency)} />
          )}
          <Figure label={text('test')} value={format.number(month.test)} />
        </Figures>
        {month.limit === null ? (
          <Text size="sm" c="dimmed">
            {text('no_limit')}
          </Text>
        ) : (
          <LimitUsed total={month.total} limit={month.limit} />
        )}
      </Stack>
    </Card>
  )
}

function LimitUsed({ total, limit }: { total: number; limit: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const share = total / limit
  const isOver = total > limit
  const isNear = share >= volumeWarning
  const warning = isOver
    ? t('billing.send_volume.over', { emails: format.number(total - limit) })
    : t('billing.send_volume.near')
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('billing.send_volume.of_limit', {
          sent: format.number(total),
          limit: format.number(limit),
          percent: format.percent(share),
        })}
      </Text>
      <Progress
        value={Math.min(100, share * 100)}
        color={isNear ? 'orange' : 'brand'}
        aria-label={t('billing.send_volume.limit_used')}
      />
      {isNear && (
        <Alert color="orange" variant="light">
          {warning}
        </Alert>
      )}
    </Stack>
  )
}
