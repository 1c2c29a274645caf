import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'

/**
 * Deletes from the audit log, which is append-only but for what is too old or has to be forgotten. Nobody has the right to,
 * not even the owner; this transaction grants it to itself for one statement, and nobody else sees that. One at a time:
 * two grants at once would collide.
 *
 * @returns the number of entries
 */
export async function deleteChanges(tx: Db, condition: RawBuilder<unknown>): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('delete from the audit log', 0))`.execute(tx)
  await sql`grant delete on change_log to current_user`.execute(tx)
  const { numAffectedRows } = await sql`delete from change_log where ${condition}`.execute(tx)
  await sql`revoke delete on change_log from current_user`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
