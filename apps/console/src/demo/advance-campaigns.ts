import { campaignState } from '@emma/contract/campaign-states.ts'
import type { DemoState } from './demo-call.ts'
import type { DemoCampaign } from './demo-records.ts'
import { reportOf } from './report-of.ts'
import type { Random } from './seed/random.ts'

/**
 * One tick of a running campaign: sends 100 to 300 more messages; when all are sent, the campaign is finished (R310).
 * Campaigns in other states are returned unchanged.
 */
function advanceCampaign(campaign: DemoCampaign, random: Random, now: Date): DemoCampaign {
  if (campaign.valid !== campaignState.running) return campaign
  const progress_cur = Math.min(campaign.estimated_volume, campaign.progress_cur + random.between(100, 300))
  const isOver = progress_cur === campaign.estimated_volume
  return {
    ...campaign,
    progress_cur,
    ...(isOver ? { valid: campaignState.finished, finished_at: now.toISOString() } : {}),
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
