import type { Fault } from '@emma/contract/faults.ts'
import {
  type CampaignState,
  campaignState,
  campaignType,
  transactionalTypes,
} from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Campaign } from '@emma/db/database-types.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql } from 'kysely'
import { forgetItems } from '../content/feeds.ts'
import { checkStartedCampaign } from '../deliverability/placement/check-started-campaign.ts'
import { type Actor, systemActor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { assertApproved } from './approval/approval-fault.ts'
import { assignError } from './campaign-error.ts'
import { endCampaign } from './cancel-open.ts'
import { notifyTransition } from './notify-transition.ts'

export interface Transition {
  /** States in which the campaign may be moved; in any other it does not change. */
  from: readonly CampaignState[]
  to: CampaignState
  /** Why the campaign does not continue, stored as its `error`. Omitted: clears the error. */
  reason?: Fault | undefined
  /** Actor and action for the audit log; omitted: EMMA itself. */
  by?: { actor: Actor; action: string } | undefined
  /** Columns that change together with the state. */
  set?: { [Column in keyof Campaign]?: RawBuilder<unknown> } | undefined
}

/**
 * Moves a campaign from one state to another in the caller's transaction: state, revision, audit log, push to open
 * consoles, webhooks and notification. Also sets the end of stopped and archived campaigns. The only place that changes
 * `campaign.valid`.
 *
 * @throws ApprovalMissing when a campaign would be started that needs an approval and is not approved as it is
 * @returns false when the campaign is in none of the states named, or does not exist
 */
export async function transition(
  tx: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
  { from, to, reason, by, set = {} }: Transition,
): Promise<boolean> {
  const before = await tx
    .selectFrom('campaign')
    .select(['name', 'valid', 'ctype'])
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .where('valid', 'in', [...from])
    .forUpdate()
    .executeTakeFirst()
  if (!before) return false
  if (startingStates.includes(to)) await assertApproved(tx, { clientId, campaignId })
  const changes = {
    ...set,
    // The progress of a running campaign is counted (5-record/report-progress.ts).
    ...(to === campaignState.running && { progress_open: sql`true` }),
    valid: sql`${to}::smallint`,
    updated_at: sql`now()`,
  }
  const columns = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`
    update campaign set ${sql.join(columns)}, ${assignError(reason ?? null)}, revision = revision + 1
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(tx)
  if (to === campaignState.stopped || to === campaignState.archived)
    await endCampaign(tx, { clientId, campaignId })
  if (to === campaignState.stopped || to === campaignState.failed)
    await forgetItems(tx, { clientId, campaignId })
  if (to === campaignState.preparing) await checkStartedCampaign(tx, { clientId, campaignId })
  const { name } = before
  // Open campaigns run for each mail: only users' decisions and faults are told.
  if (transactionalTypes.includes(before.ctype) && !by && !reason) return true
  await logChange(tx, by?.actor ?? systemActor(clientId), {
    clientId,
    object: 'campaign',
    id: campaignId,
    action: by?.action ?? 'update',
    changes: {
      valid: [before.valid, to],
      ...(reason === undefined ? {} : { error: [null, reason.message] }),
    },
  })
  await publish(tx, {
    client_id: clientId,
    type: 'CAMPAIGN_STATUS',
    data: { campagne_id: campaignId, name, valid: to },
  })
  await sql`select tell_webhooks_of_campaign(${clientId}, ${campaignId}, ${before.valid})`.execute(tx)
  const path = pathsOfFaults.get(before.ctype)
  await notifyTransition(tx, { clientId, campaignId, name, to, reason, actor: by?.actor, path })
  return true
}

/** States that lead to sending, by themselves or at once. */
const startingStates: readonly CampaignState[] = [
  campaignState.scheduled,
  campaignState.preparing,
  campaignState.running,
]

/** Pages where faults of open campaigns are fixed. */
const pathsOfFaults: ReadonlyMap<number, string> = new Map([
  [campaignType.process, '/settings/pmtemplates'],
  [campaignType.transactional, '/transactionals/archive'],
])
