import type { RunState } from '@emma/contract/actions/recurring.ts'
import { EmmaError, type FieldError } from '@emma/contract/errors.ts'
import { MISSED_HOURS } from '@emma/contract/resources/recurring.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CheckContext } from '../campaigns/check-campaign.ts'
import { systemActor } from '../resource/actor.ts'
import { runsAfter } from './next-runs.ts'
import type { Recurring } from './recurring.ts'
import { recurringOperations } from './recurring-operations.ts'
import { type RunTime, startRun } from './start-run.ts'

export interface RecurringKey {
  clientId: number
  recurringId: number
}

export interface RunContext extends CheckContext {
  /** Called when a run could not be made for a fault of EMMA or the database; it is tried again. */
  onError: (key: RecurringKey, error: unknown) => void
}

/** Recurring campaigns that are looked at in a round. */
const BATCH = 100

/** Missed runs of one recurring campaign that are logged, of those before the last one. */
const LOGGED_MISSED = 100

const HOUR_MS = 3_600_000

/** With the policy `skip`, a run may be this late: servers restart. */
const RESTART_MS = 15 * 60_000

/**
 * Makes the runs that are due at `now`. Each is made once, whatever is killed and however many machines ask: the row of
 * the recurring campaign is locked, and the run, its campaign and the time of the next run are written in one
 * transaction.
 *
 * @returns the number of recurring campaigns that were due
 */
export async function makeDueRuns(db: Db, now: Date, context: RunContext): Promise<number> {
  const { rows } = await sql<RecurringKey>`
    select client_id as "clientId", recurring_id as "recurringId" from recurring
    where active and deleted_at is null and next_run <= ${now}
    order by next_run limit ${BATCH}`.execute(db)
  for (const key of rows)
    await transaction(db, tx => makeDueRun(tx, key, now, context)).catch((error: unknown) =>
      context.onError(key, error),
    )
  return rows.length
}

async function makeDueRun(tx: Db, key: RecurringKey, now: Date, context: CheckContext): Promise<void> {
  if (!(await lockDue(tx, key, now))) return
  const { clientId, recurringId } = key
  const recurring = await recurringOperations.find(
    tx,
    systemActor(clientId),
    { clientIds: [clientId] },
    recurringId,
  )
  const { missed, due, next } = duePart(recurring, now)
  for (const { at } of missed) await addRun(tx, recurring, at, { state: 'missed', ranAt: now })
  const isMade = due ? await makeRun(tx, recurring, due, now, context) : false
  await sql`
    update recurring set next_run = ${next}::timestamptz, last_run = ${isMade ? now : recurring.last_run}::timestamptz
    where client_id = ${clientId} and recurring_id = ${recurringId}`.execute(tx)
}

/** Locks the row unless another machine makes the run at this moment or has made it. */
async function lockDue(tx: Db, { clientId, recurringId }: RecurringKey, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from recurring
    where client_id = ${clientId} and recurring_id = ${recurringId}
      and active and deleted_at is null and next_run <= ${now}
    for update skip locked`.execute(tx)
  return rows.length > 0
}

/** The last run that is due by `now`, those missed before it, and the one after it. */
function duePart(
  recurring: Recurring,
  now: Date,
): { missed: RunTime[]; due: RunTime | null; next: string | null } {
  const missed: RunTime[] = []
  let due: RunTime | null = null
  // The stored time is that of the schedule, which gives it again.
  const before = new Date(Date.parse(recurring.next_run ?? now.toISOString()) - 1)
  for (const run of runsAfter(recurring, before)) {
    if (Date.parse(run.at) > now.getTime()) return { missed, due, next: run.at }
    if (due) missed.push(due)
    if (missed.length > LOGGED_MISSED) missed.shift()
    due = run
  }
  return { missed, due, next: null }
}

/** Makes or skips one run. Returns whether it was started. */
async function makeRun(
  tx: Db,
  recurring: Recurring,
  run: RunTime,
  now: Date,
  context: CheckContext,
): Promise<boolean> {
  const late = now.getTime() - Date.parse(run.at)
  const ranAt = now
  if (late >= (recurring.missed_policy === 'run' ? MISSED_HOURS * HOUR_MS : RESTART_MS)) {
    if (await addRun(tx, recurring, run.at, { state: 'missed', ranAt }))
      await notifyMissed(tx, recurring, run)
    return false
  }
  if (!(await addRun(tx, recurring, run.at, { state: 'started', ranAt }))) return false
  await sql`savepoint run`.execute(tx)
  try {
    const campaignId = await startRun(tx, systemActor(recurring.client_id), recurring, run, context)
    await settleRun(tx, recurring, run, { state: 'started', campaignId })
    return true
  } catch (error) {
    if (!(error instanceof EmmaError)) throw error
    await sql`rollback to savepoint run`.execute(tx)
    const isEmpty = recurring.skip_if_empty && isEmptySegment(error)
    const faults = isEmpty ? [] : faultsOf(error)
    await settleRun(tx, recurring, run, { state: isEmpty ? 'empty' : 'failed', faults })
    if (!isEmpty) await notifyFailed(tx, recurring, error)
    return false
  }
}

export function isEmptySegment({ fields }: EmmaError): boolean {
  return fields.length > 0 && fields.every(({ code }) => code === 'campaign.empty_segment')
}

function faultsOf({ fields, fault, message, code }: EmmaError): FieldError[] {
  if (fields.length > 0) return [...fields]
  return [{ field: '', ...(fault ?? { code: 'field.invalid', message: message || code }) }]
}

/** Adds a run unless it is there already. Returns whether it was added. */
export async function addRun(
  tx: Db,
  { client_id: clientId, recurring_id: recurringId }: Pick<Recurring, 'client_id' | 'recurring_id'>,
  plannedAt: string,
  { state, ranAt, isManual = false }: { state: RunState; ranAt: Date; isManual?: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into recurring_run (client_id, recurring_id, planned_at, ran_at, state, is_manual)
    values (${clientId}, ${recurringId}, ${plannedAt}, ${ranAt}, ${state}, ${isManual})
    on conflict (client_id, recurring_id, planned_at) do nothing
    returning run_id`.execute(tx)
  return rows.length > 0
}

/** Stores how a run ended. */
export async function settleRun(
  tx: Db,
  { client_id: clientId, recurring_id: recurringId }: Recurring,
  { at }: RunTime,
  { state, campaignId, faults = [] }: { state: RunState; campaignId?: number; faults?: FieldError[] },
): Promise<void> {
  await sql`
    update recurring_run set state = ${state}, campagne_id = ${campaignId ?? null}, faults = ${JSON.stringify(faults)}::jsonb
    where client_id = ${clientId} and recurring_id = ${recurringId} and planned_at = ${at}`.execute(tx)
}

async function notifyFailed(tx: Db, recurring: Recurring, error: EmmaError): Promise<void> {
  const [fault] = faultsOf(error)
  const reason = fault?.message ?? error.message
  await addNotification(tx, {
    ...newsOf(recurring),
    kind: 'danger',
    code: 'recurring_failed',
    details: { name: recurring.name, reason, ...(fault && { fault }) },
    text: `A run of “${recurring.name}” was not sent: ${reason}`,
  })
}

async function notifyMissed(tx: Db, recurring: Recurring, { local }: RunTime): Promise<void> {
  const time = local.replace('T', ' ')
  await addNotification(tx, {
    ...newsOf(recurring),
    kind: 'warning',
    code: 'recurring_missed',
    details: { name: recurring.name, time },
    text: `The run of “${recurring.name}” at ${time} was missed, as the server was not running.`,
  })
}

function newsOf({ client_id: clientId, recurring_id: id }: Recurring) {
  return { clientId, permission: 'EmmaRecurring:get', path: `/recurring/edit/${id}?tab=runs` }
}
