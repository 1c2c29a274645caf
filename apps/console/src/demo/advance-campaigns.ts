import { campaignState } from '@emma/contract/campaign-states.ts'
import { hasRest } from '@emma/contract/split.ts'
import { chooseWinner } from '@emma/contract/statistics/choose-winner.ts'
import type { DemoState } from './demo-call.ts'
import type { DemoCampaign } from './demo-records.ts'
import { reportOf } from './report-of.ts'
import type { Random } from './seed/random.ts'
import { decisiveFigures, sampleSize, splitParts } from './split-parts.ts'

/**
 * One tick of a running campaign: sends 100 to 300 more messages; when all are sent, the campaign is finished (R310).
 * The sample of an A/B test is sent first; the rest waits for the winner. Campaigns in other states are returned
 * unchanged.
 */
function advanceCampaign(before: DemoCampaign, random: Random, now: Date): DemoCampaign {
  if (before.valid !== campaignState.running) return before
  const campaign = decideWinner(before, now)
  const end = campaign.split_winner === null ? sampleSize(campaign) : campaign.estimated_volume
  const progress_cur = Math.min(end, campaign.progress_cur + random.between(100, 300))
  const waits = campaign.split !== null && hasRest(campaign.split) && campaign.split_decided_at === null
  const isSampled = waits && progress_cur === end
  const isOver = !waits && progress_cur === end
  return {
    ...campaign,
    progress_cur,
    ...(isSampled ? { split_sampled_at: campaign.split_sampled_at ?? now.toISOString() } : {}),
    ...(isOver ? { valid: campaignState.finished, finished_at: now.toISOString() } : {}),
  }
}

/** Decides an A/B test whose waiting time is over. */
function decideWinner(campaign: DemoCampaign, now: Date): DemoCampaign {
  const { split, split_sampled_at: sampledAt, split_result } = campaign
  if (!split || sampledAt === null || split_result !== null || split.winner_by === 'person') return campaign
  if (Date.parse(sampledAt) + split.wait_minutes * 60_000 > now.getTime()) return campaign
  const figures = decisiveFigures(splitParts(campaign), split.winner_by)
  const { reason, winner } = chooseWinner(figures, split)
  const { winner_by, level } = split
  return {
    ...campaign,
    split_winner: winner,
    split_decided_at: reason === 'ask' ? null : now.toISOString(),
    split_result: { reason, winner_by, level, figures, user_id: null },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Runs changes of campaigns one after the other: one that began earlier would undo a pause. */
export function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const result = last.then(change)
  last = result.catch(() => {})
  return result
}

/** Advances all running campaigns and their reports. */
export function advanceCampaigns(state: DemoState): Promise<void> {
  return inTurn(async () => {
    const campaigns = await state.tables<DemoCampaign>('campaign').all()
    const running = campaigns.filter(({ valid }) => valid === campaignState.running)
    await Promise.all(
      running.map(campaign => keepCampaign(advanceCampaign(campaign, state.random, state.now()), state)),
    )
  })
}

/** Stores a campaign, and its report once it has started. */
export async function keepCampaign(
  campaign: DemoCampaign,
  { tables, now }: DemoState,
): Promise<DemoCampaign> {
  await tables<DemoCampaign>('campaign').put(campaign.campagne_id, campaign)
  if (campaign.started_at !== null)
    await tables('report').put(campaign.campagne_id, reportOf(campaign, now()))
  return campaign
}
