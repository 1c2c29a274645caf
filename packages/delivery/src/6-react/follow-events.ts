import { type Sql, transaction } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql as raw } from 'kysely'
import { countSoftBounces } from './soft-bounces.ts'

const cursor = 'members'
const batch = 5_000

/**
 * Follows the event log and keeps the members' state: hard bounces, soft bounces that add up, complaints, last opens and
 * clicks. Reads by transaction, so no event that commits late is passed over; cursor and effects move in one transaction,
 * so a crash repeats nothing, and a repeated reading changes nothing (every effect is the greatest or the earliest value).
 * Answers how many events were read: call again while it is not 0.
 */
export function followEvents(sql: Sql): Promise<number> {
  return transaction(sql, async tx => {
    await raw`insert into event_cursor (name) values (${cursor}) on conflict do nothing`.execute(tx)
    const from = await raw<{ txid: string }>`
      select txid::text from event_cursor where name = ${cursor} for update skip locked`.execute(tx)
    const after = from.rows[0]?.txid
    if (after === undefined) return 0
    const until = await findEnd(tx, after)
    if (until === null) return 0
    await raw`create temporary table if not exists fresh_event (like event) on commit delete rows`.execute(tx)
    const read = await raw<{ tables: number[]; count: number; erased: boolean }>`
      with read as (
        insert into fresh_event
        select * from event where txid > ${after}::xid8 and txid <= ${until}::xid8
        returning member_table_id, email
      )
      select count(*) as count, coalesce(bool_or(email = ${ERASED_ADDRESS}), false) as erased,
        coalesce(array_agg(distinct member_table_id) filter (where member_table_id is not null), '{}') as tables
      from read`.execute(tx)
    if (read.rows[0]?.erased) await forgetErased(tx, { after, until })
    for (const table of read.rows[0]?.tables ?? []) await applyTo(tx, table)
    await blockComplainers(tx)
    await raw`
      update event_cursor set txid = ${until}::xid8, updated_at = now() where name = ${cursor}`.execute(tx)
    return read.rows[0]?.count ?? 0
  })
}

/** The last transaction of the next batch; null when there is nothing finished to read. Transactions are read whole. */
async function findEnd(tx: Sql, after: string): Promise<string | null> {
  const found = await raw<{ until: string | null }>`
    select max(txid)::text as until from (
      select txid from event
      where txid > ${after}::xid8 and txid < pg_snapshot_xmin(pg_current_snapshot())
      order by txid limit ${batch}
    ) as next`.execute(tx)
  return found.rows[0]?.until ?? null
}

/** Mails of people who were erased meanwhile still come back, and are still opened: that counts, and tells of nobody. */
async function forgetErased(tx: Sql, { after, until }: { after: string; until: string }): Promise<void> {
  await raw`
    update event set email = null, ip = null, user_agent = null, reply = null
    where txid > ${after}::xid8 and txid <= ${until}::xid8 and email = ${ERASED_ADDRESS}`.execute(tx)
  await raw`delete from fresh_event where email = ${ERASED_ADDRESS}`.execute(tx)
}

async function applyTo(tx: Sql, memberTableId: number): Promise<void> {
  const exists = await raw<{ found: boolean }>`
    select to_regclass(${`members.t${memberTableId}`}) is not null as found`.execute(tx)
  if (!exists.rows[0]?.found) return
  const members = raw.table(`members.t${memberTableId}`)
  await raw`
    update ${members} as m set
      hardbounced_at = least(m.hardbounced_at, e.hard_at),
      complained_at = least(m.complained_at, e.complained_at),
      last_opened_at = greatest(m.last_opened_at, e.opened_at),
      last_clicked_at = greatest(m.last_clicked_at, e.clicked_at)
    from (
      select client_id, member_id,
        min(ts) filter (where type = 'bounce' and hard) as hard_at,
        min(ts) filter (where type = 'complaint') as complained_at,
        max(ts) filter (where type in ('open', 'click') and verdict = 'human') as opened_at,
        max(ts) filter (where type = 'click' and verdict = 'human') as clicked_at
      from fresh_event where member_table_id = ${memberTableId} and member_id > 0
      group by 1, 2
    ) e
    where m.client_id = e.client_id and m.member_id = e.member_id
      and (e.hard_at, e.complained_at, e.opened_at, e.clicked_at) is distinct from (null, null, null, null)`.execute(
    tx,
  )
  await countSoftBounces(tx, memberTableId)
}

/** Who complained gets nothing more from anybody in this house (domain.md Part 3, ARF). */
async function blockComplainers(tx: Sql): Promise<void> {
  await raw`
    insert into internal_blacklist_entry (value, match, reason)
    select distinct lower(email), 'email', 'complaint' from fresh_event
    where type = 'complaint' and email is not null and email <> ''
    on conflict do nothing`.execute(tx)
}
