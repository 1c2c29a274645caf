import { forgetOldAttempts } from '@emma/core/account/login-attempts.ts'
import { applyRetention } from '@emma/core/platform/audit-log.ts'
import { forgetOldCalls } from '@emma/core/webhooks/deliver-queue.ts'
import { recountSoftBounces } from '@emma/core/audience/soft-bounces.ts'
import { sql } from 'kysely'
import type { JobTask } from '../job-task.ts'

/** Partitions of the event log for the months to come; what is over is cleared away and no longer counted. */
export const runMaintenance: JobTask = async (_payload, { db }) => {
  await sql`select ensure_event_partitions(current_date, 4)`.execute(db)
  await sql`delete from session where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from password_reset where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from notification where created_at < now() - interval '90 days'`.execute(db)
  await sql`delete from esp_event where received_at < now() - interval '30 days'`.execute(db)
  await sql`delete from role_heartbeat where seen_at < now() - interval '1 day'`.execute(db)
  await sql`delete from api_token where expires_at < now() - interval '90 days'`.execute(db)
  await forgetOldAttempts(db)
  await forgetOldCalls(db)
  await applyRetention(db)
  await recountSoftBounces(db)
}
