import type { AlertMetric } from '@emma/contract/resources/alert.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useTranslation } from 'react-i18next'
import type { AlertRecord } from './alert-state.tsx'

const signs = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const

const units: Partial<Record<AlertMetric, 'percent' | 'minutes'>> = {
  bounce_rate: 'percent',
  complaint_rate: 'percent',
  queue_stall: 'minutes',
  ipci_inbox: 'percent',
  quota: 'percent',
}

/** Returns a function that writes the unit of a figure; an empty text for counts. */
export function useUnitOf(): (metric: AlertMetric) => string {
  const { t } = useTranslation()
  return metric => (units[metric] ? t(`deliverability.alert.units.${units[metric]}`) : '')
}

/** Returns a function that writes the condition of an alert: Bounce rate ≥ 5 %. */
export function useConditionText(): (
  record: Pick<AlertRecord, 'metric' | 'operator' | 'threshold'>,
) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const unitOf = useUnitOf()
  return ({ metric, operator, threshold }) => {
    const figure = `${format.number(threshold)} ${unitOf(metric)}`.trim()
    return `${t(`deliverability.alert.metrics.${metric}`)} ${signs[operator]} ${figure}`
  }
}
