import { isApprovedStart } from '@emma/contract/approval.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Campaign } from '../campaign-operations.ts'

/**
 * Checks that a campaign is started when its approval says. One that is held may be started late.
 *
 * @param start the time asked for; null: now
 * @throws EmmaError `invalid`
 */
export async function assertApprovedStart(
  tx: Db,
  campaign: Pick<Campaign, 'client_id' | 'campagne_id' | 'startdate' | 'valid'>,
  start: string | null,
): Promise<void> {
  const { client_id: clientId, campagne_id: id, startdate: planned, valid } = campaign
  if (valid === campaignState.held) return
  const approval = await tx
    .selectFrom('campaign_approval as a')
    .innerJoin('client as k', 'k.client_id', 'a.client_id')
    .select('a.approved_at')
    .where('a.client_id', '=', clientId)
    .where('a.subject', '=', 'campaign')
    .where('a.subject_id', '=', id)
    .where('k.campaign_approval', '=', true)
    .executeTakeFirst()
  if (!approval?.approved_at) return
  if (isApprovedStart({ planned, approvedAt: approval.approved_at }, start)) return
  throw invalid([fieldError('startdate', 'campaign.approval_start')])
}
