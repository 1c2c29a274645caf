import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { isOfMember, isSent } from '../reports/counted.ts'

interface CampaignKey {
  client_id: number
  campagne_id: number
}

/**
 * Counts the sent mails of all campaigns that may have sent since they were counted last, by month (`send_count`). What
 * is counted is what nb_send of the reports counts (reports/counted.ts), in the month in which the final reply was
 * recorded, by the client's clock: the months of a campaign add up to its report. Deleted campaigns count, as their
 * mails were sent.
 *
 * The ledger has no index on time, which would slow down each delivery, so each campaign is read completely: the caller
 * spaces runs by their duration. Campaigns from before the first run are counted by it.
 *
 * @param isStopping asked before each campaign, as the first run of an old installation takes minutes
 */
export async function countSent(db: Db, isStopping = () => false): Promise<void> {
  for (const campaign of await listToCount(db)) {
    if (isStopping()) return
    await countCampaign(db, campaign)
  }
}

/**
 * A campaign `campaign` may have sent since it was counted. It records what was in flight at its last change within
 * minutes; mails that become known later are found by `listToCount`.
 */
export const isToCount = sql<boolean>`(expanded_at is not null and (send_counted_at is null or progress_open
  or send_counted_at - updated_at < interval '10 minutes'))`

/** Hours in which an engine without connection may still report mails that are unknown meanwhile. */
const LATE_HOURS = 24

async function listToCount(db: Db): Promise<CampaignKey[]> {
  const { rows } = await sql<CampaignKey>`
    select client_id, campagne_id from campaign where ${isToCount}
    union
    select client_id, campagne_id from delivery
    where state = 'unknown' and recorded_at > now() - make_interval(hours => ${LATE_HOURS})
    order by client_id, campagne_id desc`.execute(db)
  return rows
}

/** The counts of months that are closed do not change, and nothing is counted into them. */
function countCampaign(db: Db, { client_id, campagne_id }: CampaignKey): Promise<void> {
  return transaction(db, async tx => {
    await lockVolume(tx, client_id)
    // All offsets of time zones are multiples of 15 minutes; converting each row would take longer than reading it.
    await sql`
      with client_zone as (
        select timezone from client where client_id = ${client_id}
      ), closed as (
        select max(month) as month, max(ends_at) as ends_at from send_volume where client_id = ${client_id}
      ), quarter as (
        select date_bin('15 minutes', d.recorded_at, 'epoch') as at,
          count(*) filter (where ${isOfMember('d')}) as sent, count(*) filter (where not ${isOfMember('d')}) as copies
        from delivery d
        where d.client_id = ${client_id} and d.campagne_id = ${campagne_id} and ${isSent('d')}
        group by 1
      ), counted as (
        select greatest(date_trunc('month', wall_clock(at, timezone)), closed.month + interval '1 month')::date as month,
          sum(sent) as sent, sum(copies) as copies
        from quarter, client_zone, closed
        where at >= coalesce(closed.ends_at, '-infinity')
        group by 1
      ), gone as (
        delete from send_count as s using closed
        where s.client_id = ${client_id} and s.campagne_id = ${campagne_id} and s.month > coalesce(closed.month, '-infinity')
          and not exists (select from counted where counted.month = s.month)
      )
      insert into send_count (client_id, campagne_id, month, sent, copies)
      select ${client_id}::bigint, ${campagne_id}::bigint, month, sent, copies from counted
      on conflict (client_id, campagne_id, month) do update set sent = excluded.sent, copies = excluded.copies`.execute(
      tx,
    )
    await sql`
      update campaign set send_counted_at = now()
      where client_id = ${client_id} and campagne_id = ${campagne_id}`.execute(tx)
  })
}

/** Held until the transaction ends: a client's months are counted and closed by one process at a time. */
export async function lockVolume(tx: Db, clientId: number): Promise<void> {
  const lock: RawBuilder<unknown> = sql`hashtextextended(${`send volume ${clientId}`}, 0)`
  await sql`select pg_advisory_xact_lock(${lock})`.execute(tx)
}
