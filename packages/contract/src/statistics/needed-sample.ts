import { comparisonLevel } from './choose-winner.ts'
import { normalQuantile } from './normal.ts'

export interface TestPlan {
  /** Rate that is expected without any difference. */
  rate: number
  /** Confidence level of the whole test. */
  level: number
  variants: number
}

/** Probability that a test finds a difference that is there. */
export const POWER = 0.8

/**
 * Recipients per variant needed to show that a rate is `rate + difference` instead of `rate`: two-sided test of two
 * proportions (Fleiss, Levin, Paik 2003, 4.14 without continuity correction). Infinity if there is nothing to find.
 */
export function neededSample({ rate, level, variants }: TestPlan, difference: number): number {
  const other = rate + difference
  if (difference === 0 || rate < 0 || other < 0 || rate > 1 || other > 1) return Infinity
  const middle = (rate + other) / 2
  const alpha = 1 - comparisonLevel(level, variants)
  const spread =
    normalQuantile(1 - alpha / 2) * Math.sqrt(2 * middle * (1 - middle)) +
    normalQuantile(POWER) * Math.sqrt(rate * (1 - rate) + other * (1 - other))
  return Math.ceil((spread / difference) ** 2)
}

/** Smallest increase of the rate that `recipients` per variant can show; null if not even an increase to 1. */
export function detectableDifference(plan: TestPlan, recipients: number): number | null {
  let [low, high] = [0, 1 - plan.rate]
  if (!(neededSample(plan, high) <= recipients)) return null
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2
    if (neededSample(plan, middle) <= recipients) high = middle
    else low = middle
  }
  return high
}
