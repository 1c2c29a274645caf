import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'

/**
 * Deletes entries from the audit log, which is otherwise append-only: for retention and erasure. Nobody has the DELETE
 * privilege, not even the owner; this transaction grants it to itself for one statement, invisible to others.
 * Serialized by a lock, as concurrent grants would fail.
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
