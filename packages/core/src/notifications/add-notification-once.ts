import { addNotification, type NewNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Hours during which the same notification is not repeated, as conditions recur and several engines detect them. */
const QUIET_HOURS = 6

/** Hours of the longest month, in which a notification about a month is given once. */
export const MONTH_HOURS = 31 * 24 + 1

/**
 * Adds a notification unless the same was added within the last `hours`. Concurrent processes are serialized.
 *
 * @param tx a transaction, which holds the lock until it ends
 * @param same details that identify the notification, besides client, code and path
 */
export async function addNotificationOnce(
  tx: Db,
  news: NewNotification & { code: string },
  same: Record<string, string | number> = {},
  hours = QUIET_HOURS,
): Promise<void> {
  const { clientId, code, path = null } = news
  const about = JSON.stringify(same)
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`tell ${clientId} ${code} ${path} ${about}`}, 0))`.execute(
    tx,
  )
  const { rows } = await sql`
    select from notification
    where client_id = ${clientId} and code = ${code} and path is not distinct from ${path}
      and details @> ${about}::jsonb and created_at > now() - make_interval(hours => ${hours})
    limit 1`.execute(tx)
  if (rows.length === 0) await addNotification(tx, news)
}
