import { compareRates, type Counted } from '@emma/contract/statistics/compare-rates.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SplitReport } from '../../../shell/resource/split-state.tsx'
import { useDifference } from '../../../shell/resource/use-difference.ts'

/** How many more reached the goal with the campaign than without it. */
export function HoldoutResult({ report }: { report: SplitReport }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const difference = useDifference()
  const { parts, split } = report
  if (split.holdout_percent === 0) return null
  if (split.goal_list_id === null)
    return (
      <Text size="sm" c="dimmed">
        {t('reports.split.no_goal')}
      </Text>
    )
  const reached = (such: (part: string) => boolean): Counted =>
    parts
      .filter(({ part }) => such(part))
      .reduce((sum, { recipients, reached_goal: x }) => ({ n: sum.n + recipients, x: sum.x + (x ?? 0) }), {
        n: 0,
        x: 0,
      })
  const compared = compareRates(
    reached(part => part === 'holdout'),
    reached(part => part !== 'holdout'),
    split.level,
  )
  return (
    <Text size="sm">
      {t('reports.split.lift', {
        with: format.percent(compared.rate_b),
        without: format.percent(compared.rate_a),
        difference: difference({ points: compared.difference, low: compared.low, high: compared.high }),
        level: format.percent(split.level),
      })}
    </Text>
  )
}
