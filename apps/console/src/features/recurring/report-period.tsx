import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export const periods = [30, 90, 365] as const

/** Choice of the days up to today that a report covers. */
export function ReportPeriod({
  days,
  onChange,
}: {
  days: number
  onChange: (days: number) => void
}): ReactNode {
  const { t } = useTranslation()
  return (
    <NativeSelect
      w="fit-content"
      aria-label={t('recurring.report.period')}
      value={String(days)}
      data={periods.map(value => ({
        value: String(value),
        label: t('recurring.report.days', { count: value }),
      }))}
      onChange={event => onChange(Number(event.currentTarget.value))}
    />
  )
}

/** First day of the period, `YYYY-MM-DD`. */
export function firstDay(now: number, days: number): string {
  return new Date(now - (days - 1) * 86_400_000).toISOString().slice(0, 10)
}
