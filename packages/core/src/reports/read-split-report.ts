import type { splitReport as contract } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { hasRest } from '@emma/contract/split.ts'
import { chooseWinner, comparisonLevel } from '@emma/contract/statistics/choose-winner.ts'
import { compareRates, type Counted, scoreInterval } from '@emma/contract/statistics/compare-rates.ts'
import { sampleRatioP } from '@emma/contract/statistics/sample-ratio.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { segmentMemory } from '../audience/segments/segment-members.ts'
import type { Campaign } from '../campaigns/campaign-operations.ts'
import { decidableStates } from '../campaigns/split/record-decision.ts'
import { countVariants, decisiveFigures, type VariantFigures } from '../campaigns/split/count-variants.ts'
import { type VariantSettings, variantsOf } from '../campaigns/split/variants.ts'

/**
 * Report of an A/B test or a holdout: each part counted, the variants compared with the first one by what decides, and
 * what the rule says by the figures of this moment.
 * @throws EmmaError `not_found` if the campaign has neither
 */
export function readSplitReport(db: Db, campaign: Campaign): Promise<Answer<typeof contract>> {
  const { split, client_id: clientId, campagne_id: campaignId } = campaign
  if (!split) throw new EmmaError('not_found')
  return transaction(db, async tx => {
    await segmentMemory.execute(tx)
    const parts = await countVariants(tx, { clientId, campaignId }, split.goal_list_id)
    const figures = decisiveFigures(parts, split)
    const sampledAt = campaign.split_sampled_at
    return {
      variants: await withTemplates(tx, clientId, variantsOf(campaign)),
      parts,
      compared: compareAll(figures, comparisonLevel(split.level, figures.length)),
      standing: figures.length > 1 ? chooseWinner(figures, split) : null,
      ratio_p: sampleRatioP(deliveredOf(parts)),
      split,
      waits: hasRest(split) && decidableStates.includes(campaign.valid) && campaign.split_decided_at === null,
      winner: campaign.split_winner,
      result: campaign.split_result,
      sampled_at: sampledAt,
      decided_at: campaign.split_decided_at,
      decides_at:
        sampledAt === null || split.winner_by === 'person' || campaign.split_result !== null
          ? null
          : new Date(Date.parse(sampledAt) + split.wait_minutes * 60_000).toISOString(),
    }
  })
}

async function withTemplates(db: Db, clientId: number, variants: readonly VariantSettings[]) {
  const ids = variants.map(({ message_id: id }) => id)
  const { rows } = await sql<{ message_id: number; name: string }>`
    select message_id, name from message
    where client_id = ${clientId} and message_id = any(${ids}::bigint[])`.execute(db)
  const names = new Map(rows.map(row => [row.message_id, row.name]))
  return variants.map(variant => ({
    ...variant,
    template: (variant.message_id !== null && names.get(variant.message_id)) || null,
  }))
}

/** Rates with their intervals, and how each differs from that of the first variant. */
function compareAll(figures: readonly Counted[], level: number) {
  const [control = { n: 0, x: 0 }] = figures
  return figures.map((counted, index) => {
    const { low, high } = scoreInterval(counted, level)
    const difference = index === 0 ? null : compareRates(control, counted, level)
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

/** Delivered mails by variant: receivers that refuse one of them make the test unfair. */
function deliveredOf(parts: readonly VariantFigures[]): number[] {
  return parts.flatMap(({ part, delivered }) => (part === 'variant' ? [delivered] : []))
}
