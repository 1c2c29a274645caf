import { comparisonLevel } from './choose-winner.ts'
import { compareRates, type Counted, scoreInterval } from './compare-rates.ts'

/**
 * Rates of variants with their intervals, and how each differs from that of the first one, at the level corrected for
 * the number of comparisons.
 * @param level confidence level of the whole test
 */
export function compareVariants(variants: readonly Counted[], level: number) {
  const each = comparisonLevel(level, variants.length)
  const [control = { n: 0, x: 0 }] = variants
  return variants.map((counted, index) => {
    const { low, high } = scoreInterval(counted, each)
    const difference = index === 0 ? null : compareRates(control, counted, each)
    return {
      ...counted,
      rate: counted.n === 0 ? null : counted.x / counted.n,
      low,
      high,
      difference: difference && {
        points: difference.difference,
        low: difference.low,
        high: difference.high,
        p: difference.p,
        chance_better: difference.chance_b_better,
      },
    }
  })
}
