import { campaignType } from '@emma/contract/campaign-states.ts'
import { runFields } from '@emma/contract/resources/recurring.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { carryApproval } from '../campaigns/approval/carry-approval.ts'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import type { CheckContext } from '../campaigns/check-campaign.ts'
import { moveCampaign } from '../campaigns/move-campaign.ts'
import type { Actor } from '../resource/actor.ts'
import type { Recurring } from './recurring.ts'
import { runAudience } from './run-audience.ts'

/** When a run is planned: the instant, and the wall clock of the schedule's time zone (`2026-12-31T09:00`). */
export interface RunTime {
  at: string
  local: string
}

/** Characters of the name that are kept, so that the date fits behind it. */
const NAME_LENGTH = 230

/**
 * Creates the campaign of a run and starts it as a user would: with the same check, transition and audit log.
 *
 * @returns the campaign's key
 * @throws EmmaError `invalid` with the errors of the check
 */
export async function startRun(
  tx: Db,
  actor: Actor,
  recurring: Recurring,
  { at, local }: RunTime,
  context: CheckContext,
): Promise<number> {
  const { client_id: clientId, recurring_id: recurringId, name } = recurring
  const fields = Object.fromEntries(runFields.map(field => [field, recurring[field]]))
  const { campagne_id: campaignId } = await campaignOperations.create(tx, actor, clientId, {
    ...fields,
    name: `${name.slice(0, NAME_LENGTH).toWellFormed()} ${local.replace('T', ' ')}`,
  })
  const audience = runAudience(recurring, new Date(at), local.slice(0, 10))
  await sql`
    update campaign set ctype = ${campaignType.recurring}, recurring_id = ${recurringId},
      run_audience = ${audience && JSON.stringify(audience)}::jsonb
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(tx)
  await carryApproval(tx, { clientId, recurringId, revision: recurring.revision }, campaignId)
  await moveCampaign(tx, actor, { clientIds: [clientId] }, campaignId, 'start', { startdate: null }, context)
  return campaignId
}
