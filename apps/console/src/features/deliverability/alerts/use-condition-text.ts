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

/** Returns a function that writes a figure with its unit: 5 %; a dash if it is null. */
export function useFigureText(): (metric: AlertMetric, figure: number | null) => string {
  const format = useFormat()
  const unitOf = useUnitOf()
  return (metric, figure) =>
    figure === null ? format.number(null) : `${format.number(figure)} ${unitOf(metric)}`.trim()
}

/** Returns a function that writes the condition of an alert: Bounce rate ≥ 5 %. */
export function useConditionText(): (
  record: Pick<AlertRecord, 'metric' | 'operator' | 'threshold'>,
) => string {
  const { t } = useTranslation()
  const figureText = useFigureText()
  return ({ metric, operator, threshold }) =>
    `${t(`deliverability.alert.metrics.${metric}`)} ${signs[operator]} ${figureText(metric, threshold)}`
}
