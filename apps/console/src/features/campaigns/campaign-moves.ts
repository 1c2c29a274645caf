import { moveCampaign } from '@emma/contract/actions/campaigns.ts'
import { findReport, listReports } from '@emma/contract/actions/reports.ts'
import {
  type CampaignAction,
  type CampaignState,
  campaignTransitions,
  restorableStates,
} from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { api } from '../../shell/session/api.ts'
import { queryClient } from '../../shell/resource/query-client.ts'
import { refresh } from '../../shell/resource/record-calls.ts'
import type { Campaign } from './editor/campaign-steps.ts'

/**
 * Runs a state transition of a campaign (start, pause, stop …) and invalidates the queries that show it.
 *
 * @param startdate for `start` and `schedule`: ISO 8601; null for now
 * @returns the campaign's id; for `copy` that of the new campaign
 */
export async function move(
  { campagne_id: id }: Pick<Campaign, 'campagne_id'>,
  action: CampaignAction,
  startdate?: string | null,
): Promise<number> {
  const body = startdate === undefined ? {} : { body: { startdate } }
  const moved = await api.call(moveCampaign, { params: { id, action }, ...body })
  await Promise.all([
    refresh(campaign),
    ...[listReports, findReport].map(({ name }) =>
      queryClient.invalidateQueries({ queryKey: ['action', name] }),
    ),
  ])
  return moved.campagne_id
}

/** True if the action is allowed in the campaign's state. */
export function isPossible(action: CampaignAction, { valid }: Pick<Campaign, 'valid'>): boolean {
  const from: readonly CampaignState[] = campaignTransitions[action]
  return from.some(state => state === valid)
}

/** True if a deleted campaign in this state can be restored. */
export function isRestorable({ valid }: Pick<Campaign, 'valid'>): boolean {
  return restorableStates.some(state => state === valid)
}

/** Actual start time; the scheduled one before the start. */
export function startOf({
  started_at,
  startdate,
}: Pick<Campaign, 'started_at' | 'startdate'>): string | null {
  return started_at ?? startdate
}
