import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Deletes heartbeats of processes that ended without removing theirs, after one day. */
export async function deleteOldHeartbeats(db: Db): Promise<void> {
  await sql`delete from role_heartbeat where seen_at < now() - interval '1 day'`.execute(db)
}
