import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'

/** Milliseconds to wait for what another transaction writes: a short one ends in that time, an import does not. */
const LOCK_TIMEOUT_MS = 300

/** Locks members until the end of the transaction. Answers those it got: of those an import holds it waits for none. */
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

/** Does `work`, or nothing of it when it would wait for a lock for longer: null then. The transaction goes on. */
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
