import type { splitReport as contract } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { hasRest } from '@emma/contract/split.ts'
import { chooseWinner } from '@emma/contract/statistics/choose-winner.ts'
import { compareVariants } from '@emma/contract/statistics/compare-variants.ts'
import { sampleRatioP } from '@emma/contract/statistics/sample-ratio.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { segmentMemory } from '../audience/segments/segment-members.ts'
import type { Campaign } from '../campaigns/campaign-operations.ts'
import { decidableStates } from '../campaigns/split/record-decision.ts'
import { countVariants, decisiveFigures, type VariantFigures } from '../campaigns/split/count-variants.ts'
import { withTemplates } from '../campaigns/split/variant-templates.ts'
import { variantsOf } from '../campaigns/split/variants.ts'

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
    const parts = await countVariants(tx, { clientId, campaignIds: [campaignId] }, split.goal_list_id)
    const figures = decisiveFigures(parts, split)
    const sampledAt = campaign.split_sampled_at
    return {
      variants: await withTemplates(tx, clientId, variantsOf(campaign)),
      parts,
      compared: compareVariants(figures, split.level),
      standing: figures.length > 1 ? chooseWinner(figures, split) : null,
      ratio_p: sampleRatioP(deliveredOf(parts)),
      split,
      waits: hasRest(split) && decidableStates.includes(campaign.valid) && campaign.split_decided_at === null,
      winner: campaign.split_winner,
      result: campaign.split_result,
      sampled_at: sampledAt,
      decided_at: campaign.split_decided_at,
      decided_by: await nameOfUser(tx, campaign.split_result?.user_id ?? null),
      decides_at:
        sampledAt === null || split.winner_by === 'person' || campaign.split_result !== null
          ? null
          : new Date(Date.parse(sampledAt) + split.wait_minutes * 60_000).toISOString(),
    }
  })
}

async function nameOfUser(db: Db, userId: number | null): Promise<string | null> {
  if (userId === null) return null
  const { rows } = await sql<{ name: string }>`
    select coalesce(nullif(trim(concat(firstname, ' ', lastname)), ''), username) as name
    from app_user where id = ${userId}`.execute(db)
  return rows[0]?.name ?? null
}

/** Delivered mails by variant: receivers that refuse one of them make the test unfair. */
function deliveredOf(parts: readonly VariantFigures[]): number[] {
  return parts.flatMap(({ part, delivered }) => (part === 'variant' ? [delivered] : []))
}
