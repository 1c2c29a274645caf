import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { readJournal } from './engine-journal.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** Rows of a campaign that were in flight when their engine died. */
export interface InFlightRows extends CampaignKey {
  count: number
}

const WORDS = 'The engine that sent this mail ended before it knew the answer.'

/**
 * Finds dead engines and recovers their rows by the journal: known outcomes are recorded, rows that had begun become
 * unknown, because they may have been sent, and rows only claimed are released.
 */
export async function recoverDeadEngines(db: Db): Promise<InFlightRows[]> {
  // One statement while all of them are alive: the locks that it gets are released with it.
  const { rows } = await sql<{ lease: string }>`
    select lease from engine where pg_try_advisory_xact_lock(${lockOf(sql`lease::text`)})`.execute(db)
  const lost: InFlightRows[] = []
  for (const { lease } of rows) lost.push(...(await recoverLease(db, lease)))
  return lost
}

/** Key of the lock that an engine holds while it is alive. */
function lockOf(lease: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`hashtextextended(${lease}, 0)`
}

function recoverLease(db: Db, lease: string): Promise<InFlightRows[]> {
  return transaction(db, async tx => {
    // The lock is free only if its engine is gone; it is held until the end, so that one engine recovers a lease.
    const { rows: taken } = await sql<{ gone: boolean }>`
      select pg_try_advisory_xact_lock(${lockOf(sql`${lease}::text`)}) as gone`.execute(tx)
    if (!taken[0]?.gone) return []
    // Waits for a journal entry that is being written, and prevents another.
    const { rows: engines } = await sql`
      select 1 from engine where lease = ${lease}::uuid for update`.execute(tx)
    if (engines.length === 0) return []
    const { unknown, settled } = await readJournal(tx, lease)
    await recordOutcomes(tx, lease, settled)
    const { rows } = await sql<InFlightRows>`
      with lost as (
        update delivery d
        set state = 'unknown', recorded_at = now(), reply = ${WORDS}, class = 'connection', hard = false
        from unnest(
          ${unknown.map(([campaignId]) => campaignId)}::bigint[], ${unknown.map(([, memberId]) => memberId)}::bigint[],
          ${unknown.map(([, , attempt]) => attempt)}::smallint[]
        ) as u (campagne_id, member_id, attempt)
        where d.lease = ${lease}::uuid and d.state = 'claimed' and d.campagne_id = u.campagne_id
          and d.member_id = u.member_id and d.attempts = u.attempt
        returning d.client_id, d.campagne_id
      )
      select client_id as "clientId", campagne_id as "campaignId", count(*) as count
      from lost group by 1, 2`.execute(tx)
    await sql`
      update delivery set state = 'pending', attempts = attempts - 1
      where lease = ${lease}::uuid and state = 'claimed'`.execute(tx)
    await sql`delete from engine where lease = ${lease}::uuid`.execute(tx)
    return rows
  })
}
