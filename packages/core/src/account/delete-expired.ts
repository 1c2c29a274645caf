import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Deletes sessions and password links one day after they expired, API tokens after 90 days. */
export async function deleteExpiredAccess(db: Db): Promise<void> {
  await sql`delete from session where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from api_token where expires_at < now() - interval '90 days'`.execute(db)
}
