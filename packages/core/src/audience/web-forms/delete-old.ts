import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { LINK_DAYS } from '../double-opt-in.ts'

/** Deletes counters that no longer limit anything, and changes that nobody can confirm any more. */
export async function deleteOldSubmissionData(db: Db): Promise<void> {
  await sql`delete from webform_attempt where since < now() - interval '1 day'`.execute(db)
  await sql`
    update webform_submission set changes = null
    where changes is not null and created_at < now() - make_interval(days => ${LINK_DAYS})`.execute(db)
}
