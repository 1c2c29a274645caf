import { addNotification, type NewNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** What comes and goes, and what several engines find out on their own, is told of once in this time. */
const QUIET_HOURS = 6

/**
 * Tells news unless the same was told within the last hours. Several engines at once tell one after the other.
 *
 * @param tx a transaction: the turn lasts until it ends
 * @param same the details that make it the same news, beside client, code and path
 */
export async function addNotificationOnce(
  tx: Db,
  news: NewNotification & { code: string },
  same: Record<string, string | number> = {},
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
      and details @> ${about}::jsonb and created_at > now() - make_interval(hours => ${QUIET_HOURS})
    limit 1`.execute(tx)
  if (rows.length === 0) await addNotification(tx, news)
}
