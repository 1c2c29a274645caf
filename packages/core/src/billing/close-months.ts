import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { isToCount, lockVolume } from './count-sent.ts'
import { readOpenMonths } from './open-months.ts'

/** Days after the end of a month in which its limit and prices can still be corrected. */
const OPEN_DAYS = 3

/**
 * Closes months that ended three days ago, by the client's clock, each once and in their order: its figures, limit,
 * prices and time zone become a row of `send_volume`, which never changes. A mail cannot be too late for its month, as
 * it counts in the month in which its reply is recorded: a reply that becomes known after the close counts in the
 * current month.
 *
 * @returns the number of months closed
 */
export async function closeMonths(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ client_id: number }>`
    select c.client_id from client c
    where wall_clock(${now}::timestamptz - make_interval(days => ${OPEN_DAYS}), c.timezone) >= interval '1 month' + coalesce(
      (select max(v.month) + interval '1 month' from send_volume v where v.client_id = c.client_id),
      least(
        date_trunc('month', wall_clock(c.created_at, c.timezone)),
        (select min(s.month) from send_count s where s.client_id = c.client_id)))
    order by c.client_id`.execute(db)
  let closed = 0
  for (const { client_id } of rows) while (await closeOldest(db, client_id, now)) closed++
  return closed
}

function closeOldest(db: Db, clientId: number, now: Date): Promise<boolean> {
  return transaction(db, async tx => {
    await lockVolume(tx, clientId)
    const [month] = await readOpenMonths(tx, clientId)
    if (!month || !(await mayClose(tx, clientId, month.ends_at, now))) return false
    const { numAffectedRows } = await sql`
      insert into send_volume (client_id, month, campaign, recurring, transactional, test, "limit", price_tiers,
        currency, price_minor, timezone, ends_at)
      values (${clientId}, ${`${month.invoice_month}-01`}::date, ${month.campaign}, ${month.recurring},
        ${month.transactional}, ${month.test}, ${month.limit}, ${JSON.stringify(month.price_tiers)}::jsonb,
        ${month.currency}, ${month.price_minor}, ${month.timezone}, ${month.ends_at})
      on conflict do nothing`.execute(tx)
    return numAffectedRows === 1n
  })
}

/** The month has ended, and everything that was sent in it is counted. */
async function mayClose(tx: Db, clientId: number, endsAt: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select ${now}::timestamptz >= ${endsAt}::timestamptz + make_interval(days => ${OPEN_DAYS}) and not exists (
      select from campaign
      where client_id = ${clientId} and ${isToCount}
        -- An hour: a transaction that began before the end may have committed after a count.
        and (send_counted_at is null or send_counted_at < ${endsAt}::timestamptz + interval '1 hour')) as may`.execute(
    tx,
  )
  return rows[0]?.may === true
}
