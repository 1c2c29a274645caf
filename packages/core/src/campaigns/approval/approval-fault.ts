import { approvedTypes } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { findApprovers } from './find-approvers.ts'
import { readSent } from './read-sent.ts'

interface CampaignKey {
  clientId: number
  campaignId: number
}

/** Thrown when a campaign would be started that is not approved as it is. */
export class ApprovalMissing extends EmmaError {
  override name = 'ApprovalMissing'
  readonly reason: Fault

  constructor(reason: Fault) {
    super('wrong_state', reason)
    this.reason = reason
  }
}

/**
 * Why a campaign may not be started: it needs an approval, and what it would send now is not what was approved.
 *
 * @returns null if it may be started: also if it has been, as its recipients and content are fixed then
 */
export async function findApprovalFault(db: Db, key: CampaignKey): Promise<Fault | null> {
  const campaign = await findNeedingApproval(db, key)
  if (!campaign || campaign.expanded_at !== null) return null
  const { clientId, campaignId: id } = key
  const sent = await readSent(db, { clientId, subject: 'campaign', id })
  const isApproved = campaign.approved_at !== null
  if (isApproved && sent?.hash === campaign.hash) return null
  const approvers = await findApprovers(db, clientId, [campaign.requested_by, campaign.updated_by])
  if (approvers.length === 0) return fault('campaign.approval_nobody')
  const names = { approvers: approvers.map(({ name }) => name).join(', ') }
  return fault(isApproved ? 'campaign.approval_outdated' : 'campaign.approval_missing', names)
}

/** @throws ApprovalMissing */
export async function assertApproved(tx: Db, key: CampaignKey): Promise<void> {
  const reason = await findApprovalFault(tx, key)
  if (reason) throw new ApprovalMissing(reason)
}

/**
 * Identifies what a campaign would send now; null if it needs no approval. If it is the same before and after the
 * content was read, what was read is what the check in between compared.
 */
export async function versionToSend(tx: Db, key: CampaignKey): Promise<string | null> {
  if (!(await findNeedingApproval(tx, key))) return null
  const { clientId, campaignId: id } = key
  const sent = await readSent(tx, { clientId, subject: 'campaign', id })
  return sent && sent.hash + sent.revisions
}

/** The campaign with its approval, if it needs one. */
function findNeedingApproval(db: Db, { clientId, campaignId }: CampaignKey) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('client as k', 'k.client_id', 'c.client_id')
    .leftJoin('campaign_approval as a', join =>
      join
        .onRef('a.client_id', '=', 'c.client_id')
        .onRef('a.subject_id', '=', 'c.campagne_id')
        .on('a.subject', '=', 'campaign'),
    )
    .select(['c.expanded_at', 'c.updated_by', 'a.hash', 'a.requested_by', 'a.approved_at'])
    .where('c.client_id', '=', clientId)
    .where('c.campagne_id', '=', campaignId)
    .where('c.ctype', 'in', [...approvedTypes])
    .where('k.campaign_approval', '=', true)
    .executeTakeFirst()
}
