import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Creates partitions of the event log for the next four months. */
export async function addEventPartitions(db: Db): Promise<void> {
  await sql`select ensure_event_partitions(current_date, 4)`.execute(db)
}
