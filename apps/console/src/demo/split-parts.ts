import type { splitPart } from '@emma/contract/actions/reports.ts'
import { hasRest, type Split } from '@emma/contract/split.ts'
import type { Counted } from '@emma/contract/statistics/compare-rates.ts'
import type { z } from 'zod'
import type { DemoCampaign } from './demo-records.ts'
import { spread } from './report-of.ts'

export type DemoSplitPart = z.infer<typeof splitPart>

/** Number of recipients who get the variants before anyone else gets the campaign. */
export function sampleSize({ split, estimated_volume: volume }: DemoCampaign): number {
  return split && hasRest(split) ? Math.floor((volume * split.sample_percent) / 100) : volume
}

/** Parts of an A/B test at the campaign's progress. Each variant is clicked a little better than the one before. */
export function splitParts(campaign: DemoCampaign): DemoSplitPart[] {
  const { split, estimated_volume: volume, progress_cur: progress, split_winner: winner } = campaign
  if (!split) return []
  const sample = sampleSize(campaign)
  const rest = {
    recipients: volume - sample,
    sent: Math.max(0, progress - sample),
    variant: winner ?? 0,
  }
  const holdout = Math.round((volume * split.holdout_percent) / (100 - split.holdout_percent))
  const equal = [1, ...split.variants.map(() => 1)]
  const recipients = spread(sample, equal)
  const parts = spread(Math.min(progress, sample), equal).map((sent, variant) => ({
    part: 'variant' as const,
    variant,
    ...figuresOf(split, { recipients: recipients[variant] ?? 0, sent, variant }),
  }))
  const others = [
    { part: 'rest' as const, variant: null, ...figuresOf(split, rest) },
    {
      part: 'holdout' as const,
      variant: null,
      ...figuresOf(split, { recipients: holdout, sent: 0, variant: 0 }),
    },
  ]
  return [...parts, ...others.filter(part => part.recipients > 0)]
}

/** What the winner is chosen by, of each variant. */
export function decisiveFigures(parts: readonly DemoSplitPart[], by: Split['winner_by']): Counted[] {
  return parts
    .filter(({ part }) => part === 'variant')
    .map(part => {
      if (by === 'conversions') return { n: part.recipients, x: part.reached_goal ?? 0 }
      return { n: part.delivered, x: by === 'opens' ? part.opened : part.clicked }
    })
}

function figuresOf(
  split: Split,
  { recipients, sent, variant }: { recipients: number; sent: number; variant: number },
) {
  const delivered = Math.round(sent * 0.99)
  return {
    recipients,
    sent,
    delivered,
    opened: Math.round(delivered * (0.25 + 0.01 * variant)),
    clicked: Math.round(delivered * (0.03 + 0.01 * variant)),
    unsubscribed: Math.round(delivered * 0.001),
    complained: 0,
    reached_goal: split.goal_list_id === null ? null : Math.round(delivered * (0.02 + 0.005 * variant)),
  }
}
