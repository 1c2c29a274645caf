import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'

/** Lock timeout in milliseconds: enough to wait for short transactions, not for an import. */
const LOCK_TIMEOUT_MS = 300

/**
 * Locks members until the end of the transaction. Returns the ids of those locked; skips members that an import has
 * locked.
 */
export async function lockMembers(
  tx: Db,
  { client_id, member_table_id }: Pick<Datasource, 'client_id' | 'member_table_id'>,
  memberIds: readonly number[],
): Promise<Set<number>> {
  const chosen = sql`select member_id from ${membersTable(member_table_id)}
    where client_id = ${client_id} and member_id = any(${memberIds}::bigint[]) order by member_id for update`
  const locked =
    (await withLockTimeout(tx, () => sql<{ member_id: number }>`${chosen}`.execute(tx))) ??
    (await sql<{ member_id: number }>`${chosen} skip locked`.execute(tx))
  return new Set(locked.rows.map(row => row.member_id))
}

/** Runs `work` with the lock timeout; returns null and undoes it on a timeout. The transaction stays usable. */
export async function withLockTimeout<T>(tx: Db, work: () => Promise<T>): Promise<T | null> {
  await sql`savepoint lock_timeout`.execute(tx)
  try {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
    const result = await work()
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`release savepoint lock_timeout`.execute(tx)
    return result
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    await sql`rollback to savepoint lock_timeout`.execute(tx)
    return null
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
