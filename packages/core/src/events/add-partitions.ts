import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Partitions of the event log for the four months to come. */
export async function addEventPartitions(db: Db): Promise<void> {
  await sql`select ensure_event_partitions(current_date, 4)`.execute(db)
}
