import { useFormat } from '@emma/ui/i18n.tsx'
import { useTranslation } from 'react-i18next'

/** A difference of two rates, with the limits of its interval. */
interface Difference {
  points: number | null
  low: number | null
  high: number | null
}

/** Returns a function that writes a difference in percentage points: "+1.2 points (+0.4 to +2.0)". */
export function useDifference(): (difference: Difference) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const signed = (share: number) => `${share < 0 ? '−' : '+'}${format.number(Math.abs(share) * 100, 1)}`
  return ({ points, low, high }) =>
    points === null || low === null || high === null
      ? '–'
      : t('split_state.points', { points: signed(points), low: signed(low), high: signed(high) })
}
