import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CheckContext } from '../campaigns/check-campaign.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { addRun, settleRun } from './make-due-runs.ts'
import { localTime } from './next-runs.ts'
import { recurringOperations } from './recurring-operations.ts'
import { startRun } from './start-run.ts'

const MINUTE_MS = 60_000

/**
 * Sends a run now, whether or not the recurring campaign is active; its planned runs stay. At most one per minute, so
 * that a repeated click sends nothing twice.
 *
 * @throws EmmaError `invalid` with the errors of the check, `conflict` within the same minute
 */
export function runNow(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  now: Date,
  context: CheckContext,
): Promise<{ campagne_id: number }> {
  return transaction(db, async tx => {
    const recurring = await recurringOperations.find(tx, actor, scope, id)
    const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
    const run = { at: minute.toISOString(), local: localTime(minute, recurring.schedule.tz) }
    const added = await addRun(tx, recurring, run.at, { state: 'started', ranAt: now, isManual: true })
    if (!added) throw new EmmaError('conflict', fault('refusal.recurring_ran'))
    const campaignId = await startRun(tx, actor, recurring, run, context)
    await settleRun(tx, recurring, run, { state: 'started', campaignId })
    await sql`update recurring set last_run = ${now}
      where client_id = ${recurring.client_id} and recurring_id = ${id}`.execute(tx)
    await logChange(tx, actor, {
      clientId: recurring.client_id,
      object: 'recurring',
      id,
      action: 'run',
      changes: { campagne_id: [null, campaignId] },
    })
    return { campagne_id: campaignId }
  })
}
