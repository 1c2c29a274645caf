import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Days after the last open or click: what is left of its weight is then a sixteenth. */
const KEEP_DAYS = 360

/** Deletes the hours of members who have not opened or clicked for a year. */
export async function deleteOldHours(db: Db): Promise<void> {
  await sql`delete from member_hours where learned_at < now() - make_interval(days => ${KEEP_DAYS})`.execute(
    db,
  )
}
