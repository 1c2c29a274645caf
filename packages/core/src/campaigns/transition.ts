import type { Fault } from '@emma/contract/faults.ts'
import { type CampaignState, campaignState } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Campaign } from '@emma/db/database-types.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, systemActor } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { assignError } from './campaign-error.ts'
import { endCampaign } from './cancel-open.ts'
import { notifyTransition } from './notify-transition.ts'

export interface Transition {
  /** States that the campaign may be in; in any other it stays as it is. */
  from: readonly CampaignState[]
  to: CampaignState
  /** Why it does not go on: its `error`. A campaign that goes on has none. */
  reason?: Fault | undefined
  /** Who moves it, and by which action of the audit log; left out: EMMA itself. */
  by?: { actor: Actor; action: string } | undefined
  /** What changes with the state. */
  set?: { [Column in keyof Campaign]?: RawBuilder<unknown> } | undefined
}

/**
 * Moves a campaign from one state to another, in the transaction of the caller: state and revision, audit log, push to open
 * consoles, webhooks, notification. What follows from the new state itself (a stopped campaign has ended) is done here as well. The
 * one place that changes `campaign.valid`.
 *
 * @returns false when the campaign is in none of the states named, or does not exist
 */
export async function transition(
  tx: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
  { from, to, reason, by, set = {} }: Transition,
): Promise<boolean> {
  const before = await tx
    .selectFrom('campaign')
    .select(['name', 'valid'])
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .where('valid', 'in', [...from])
    .forUpdate()
    .executeTakeFirst()
  if (!before) return false
  const changes = {
    ...set,
    // A campaign that runs is counted (5-record/report-progress.ts).
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
  const { name } = before
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
  await notifyTransition(tx, { clientId, campaignId, name, to, reason, actor: by?.actor })
  return true
}
