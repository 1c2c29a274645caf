import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Whether no client exists yet. Locks the table until the transaction ends, so that nobody else creates one. */
export async function isFirstClient(tx: Db): Promise<boolean> {
  await sql`lock table client in share row exclusive mode`.execute(tx)
  return !(await hasClients(tx))
}

export async function hasClients(db: Db): Promise<boolean> {
  const found = await db.selectFrom('client').select('client_id').limit(1).executeTakeFirst()
  return found !== undefined
}
