import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Counts an attempt in the database, shared by all nodes; the count starts again after an hour.
 *
 * @param name what is counted: the form, its visitor's address, the email address
 * @returns false if there were `most` attempts within the hour
 */
export async function countAttempt(db: Db, clientId: number, name: string, most: number): Promise<boolean> {
  const isOver = sql`a.since < now() - interval '1 hour'`
  const { rows } = await sql<{ attempts: number }>`
    insert into webform_attempt as a (client_id, key)
    values (${clientId}, sha256(convert_to(${name}, 'UTF8')))
    on conflict (client_id, key) do update set
      attempts = case when ${isOver} then 1 else least(a.attempts + 1, 1000000) end,
      since = case when ${isOver} then now() else a.since end
    returning attempts`.execute(db)
  return (rows[0]?.attempts ?? 0) <= most
}
