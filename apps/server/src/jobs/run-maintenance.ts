import { forgetOldAttempts } from '@emma/core/account/login-attempts.ts'
import { applyRetention } from '@emma/core/platform/audit-log.ts'
import { forgetOldCalls } from '@emma/core/webhooks/deliver-queue.ts'
import { recountSoftBounces } from '@emma/core/audience/soft-bounces.ts'
import { sql as raw } from 'kysely'
import type { JobTask } from '../job-task.ts'

/** Partitions of the event log for the months to come; what is over is cleared away and no longer counted. */
export const runMaintenance: JobTask = async (_payload, { sql }) => {
  await raw`select ensure_event_partitions(current_date, 4)`.execute(sql)
  await raw`delete from session where expires_at < now() - interval '1 day'`.execute(sql)
  await raw`delete from password_reset where expires_at < now() - interval '1 day'`.execute(sql)
  await raw`delete from notification where created_at < now() - interval '90 days'`.execute(sql)
  await raw`delete from esp_event where received_at < now() - interval '30 days'`.execute(sql)
  await raw`delete from role_heartbeat where seen_at < now() - interval '1 day'`.execute(sql)
  await raw`delete from api_token where expires_at < now() - interval '90 days'`.execute(sql)
  await forgetOldAttempts(sql)
  await forgetOldCalls(sql)
  await applyRetention(sql)
  await recountSoftBounces(sql)
}
