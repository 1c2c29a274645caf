import { compareRates, type Counted } from './compare-rates.ts'

export interface WinnerRule {
  /** Confidence level of the whole test, for example 0.95. */
  level: number
  /** What happens if no variant is better than all others at this level; `ask`: a user decides. */
  otherwise: 'best' | 'control' | 'nobody' | 'ask'
}

/** `significant`: better than every other variant. Otherwise the rule that applied. */
export interface Decision {
  reason: 'significant' | WinnerRule['otherwise']
  /** Index of the variant; null: none. */
  winner: number | null
}

/**
 * Chooses the winner of an A/B test; the first variant is the control. The leader wins if the intervals of its
 * differences to all others are above 0, each at the level corrected for their number (Bonferroni). With equal rates,
 * the first variant leads.
 */
export function chooseWinner(variants: readonly Counted[], { level, otherwise }: WinnerRule): Decision {
  const leader = leaderOf(variants)
  if (leader !== null && isAhead(variants, leader, level)) return { reason: 'significant', winner: leader }
  if (otherwise === 'best') return { reason: 'best', winner: leader ?? 0 }
  return { reason: otherwise, winner: otherwise === 'control' ? 0 : null }
}

/** Confidence level of each comparison with the control or the leader. */
export function comparisonLevel(level: number, variants: number): number {
  return 1 - (1 - level) / Math.max(1, variants - 1)
}

function leaderOf(variants: readonly Counted[]): number | null {
  const rates = variants.map(({ n, x }) => (n === 0 ? -1 : x / n))
  const highest = Math.max(...rates)
  return highest < 0 ? null : rates.indexOf(highest)
}

function isAhead(variants: readonly Counted[], leader: number, level: number): boolean {
  const best = variants[leader]
  if (!best) return false
  const each = comparisonLevel(level, variants.length)
  return variants.every((other, index) => index === leader || (compareRates(other, best, each).low ?? 0) > 0)
}
