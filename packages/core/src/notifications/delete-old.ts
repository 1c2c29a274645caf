import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

export async function deleteOldNotifications(db: Db): Promise<void> {
  await sql`delete from notification where created_at < now() - interval '90 days'`.execute(db)
}
