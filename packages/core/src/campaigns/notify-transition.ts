import { type CampaignState, campaignState } from '@emma/contract/campaign-states.ts'
import type { Fault } from '@emma/contract/faults.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'

interface Moved {
  clientId: number
  campaignId: number
  name: string
  to: CampaignState
  reason: Fault | undefined
  /** Undefined: EMMA itself. */
  actor: Actor | undefined
  /** Page about a fault; default: the campaign's. */
  path?: string | undefined
}

/**
 * Adds a notification when a user pauses a campaign, or when a campaign finishes, fails, is held or is stopped by EMMA.
 */
export async function notifyTransition(tx: Db, moved: Moved): Promise<void> {
  if (moved.actor) return moved.to === campaignState.paused ? notifyPaused(tx, moved, moved.actor) : undefined
  const { clientId, campaignId, name, to, reason: fault } = moved
  const reason = fault?.message ?? ''
  const details = { name, reason, ...(fault && { fault }) }
  const common = { clientId, permission: 'EmmaCampaign:get', details }
  const start = moved.path ?? `/campaigns/start/${campaignId}`
  if (to === campaignState.finished)
    await addNotification(tx, {
      ...common,
      kind: 'success',
      code: 'campaign_finished',
      text: `The campaign “${name}” is finished.`,
      path: `/campaigns/reports/${campaignId}`,
    })
  if (to === campaignState.stopped)
    await addNotification(tx, {
      ...common,
      kind: 'warning',
      code: 'campaign_missed',
      text: `The campaign “${name}” was not sent: ${reason}`,
      path: start,
    })
  if (to === campaignState.failed || to === campaignState.held)
    await addNotification(tx, {
      ...common,
      kind: 'danger',
      code: to === campaignState.failed ? 'campaign_failed' : 'campaign_held',
      text: `The campaign “${name}” does not go on: ${reason}`,
      path: start,
    })
}

/** Notifies the client's users; it is marked as read for the user who paused the campaign. */
async function notifyPaused(tx: Db, { clientId, campaignId, name }: Moved, { userId }: Actor): Promise<void> {
  const found = await sql<{ person: string }>`
    select concat_ws(' ', firstname, lastname) as person from app_user where id = ${userId}`.execute(tx)
  const person = found.rows[0]?.person ?? 'EMMA'
  await addNotification(tx, {
    clientId,
    permission: 'EmmaCampaign:get',
    kind: 'warning',
    code: 'campaign_paused',
    details: { name, person },
    text: `${person} has paused the campaign “${name}”.`,
    path: `/campaigns/start/${campaignId}`,
    createdBy: userId,
    knownTo: userId,
  })
}
