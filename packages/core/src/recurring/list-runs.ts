import type { listRecurringRuns, RecurringRun } from '@emma/contract/actions/recurring.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Page } from '../resource/operations.ts'
import type { RecurringKey } from './make-due-runs.ts'

/** Runs of a recurring campaign, newest first. */
export async function listRuns(
  db: Db,
  { clientId, recurringId }: RecurringKey,
  { limit, offset, state }: z.output<typeof listRecurringRuns.query>,
): Promise<Page<RecurringRun>> {
  const where = sql`r.client_id = ${clientId} and r.recurring_id = ${recurringId}
    and (${state ?? null}::text is null or r.state = ${state ?? null}::text)`
  const { rows } = await sql<RecurringRun>`
    select r.run_id, r.planned_at, r.ran_at, r.state, r.is_manual, r.faults, c.campagne_id, c.valid, c.estimated_volume
    from recurring_run r
    left join campaign c
      on c.client_id = r.client_id and c.campagne_id = r.campagne_id and c.deleted_at is null
    where ${where} order by r.planned_at desc limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from recurring_run r where ${where}`.execute(db)
  return { data: rows, included: [], total: counted.rows[0]?.total ?? 0 }
}
