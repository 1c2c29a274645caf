import { type Db, transaction } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { type RawBuilder, sql } from 'kysely'
import { applyPendingState } from './apply-pending-state.ts'
import { isHard, isHit } from '../reports/counted.ts'
import { suppressComplainers } from '../audience/blacklists/suppress-complainers.ts'

const cursor = 'members'
const batch = 5_000

/**
 * Follows the event log and updates the members' state: hard bounces, accumulated soft bounces, complaints, last opens
 * and clicks. Reads by transaction id, so events that commit late are not missed and a long transaction (an import)
 * does not delay the events of others. The cursor and the pending state (member_pending_state) change in one
 * transaction, so a crash repeats nothing; every effect is a minimum or maximum, so reading again changes nothing.
 * Finally applies the pending state to members that no other transaction has locked.
 *
 * @returns the number of events read: call again while it is not 0
 */
export async function followEvents(db: Db): Promise<number> {
  const count = await readEvents(db)
  await applyPendingState(db)
  return count
}

function readEvents(db: Db): Promise<number> {
  return transaction(db, async tx => {
    await sql`insert into event_cursor (name) values (${cursor}) on conflict do nothing`.execute(tx)
    const unread = await findUnread(tx)
    if (!unread) return 0
    await sql`create temporary table if not exists fresh_event (like event) on commit delete rows`.execute(tx)
    const read = await sql<{ count: number; erased: boolean }>`
      with read as (
        insert into fresh_event select * from event where ${isUnread(unread)} returning email
      )
      select count(*) as count, coalesce(bool_or(email = ${ERASED_ADDRESS}), false) as erased from read`.execute(
      tx,
    )
    if (read.rows[0]?.erased) await forgetErased(tx, unread)
    await addPendingState(tx)
    await addBouncedAddresses(tx)
    await suppressComplainers(tx)
    await sql`
      update event_cursor set txid = ${unread.until}::xid8, open_txids = ${unread.open}::xid8[], updated_at = now()
      where name = ${cursor}`.execute(tx)
    return read.rows[0]?.count ?? 0
  })
}

/** Next transactions of the log to read: those after `after` up to `until`, and `ended` earlier ones. */
interface Unread {
  after: string
  until: string
  /** Earlier transactions that were open when later ones were read, and have ended since. */
  ended: string[]
  /** Transactions up to `until` that are still open. */
  open: string[]
  /** Transactions visible in this snapshot have ended. */
  snapshot: string
}

/** Null when there is nothing to read, or another process is reading. */
async function findUnread(tx: Db): Promise<Unread | null> {
  const { rows } = await sql<Omit<Unread, 'open'> & { running: string[] }>`
    with cursor as (
      select txid, open_txids from event_cursor where name = ${cursor} for update skip locked
    )
    select cursor.txid::text as after, now.snapshot::text as snapshot,
      coalesce((
        select max(txid) from (
          select txid from event
          where txid > cursor.txid and pg_visible_in_snapshot(txid, now.snapshot)
          order by txid limit ${batch}
        ) as next
      ), cursor.txid)::text as until,
      array(select id::text from unnest(cursor.open_txids) as id where pg_visible_in_snapshot(id, now.snapshot)) as ended,
      array(
        select id::text from unnest(cursor.open_txids) as id where not pg_visible_in_snapshot(id, now.snapshot)
        union select id::text from pg_snapshot_xip(now.snapshot) as id where id > cursor.txid
      ) as running
    from cursor, (select pg_current_snapshot() as snapshot) as now`.execute(tx)
  const [next] = rows
  if (!next || (next.until === next.after && next.ended.length === 0)) return null
  const { running, ...unread } = next
  return { ...unread, open: running.filter(id => BigInt(id) <= BigInt(unread.until)) }
}

function isUnread({ after, until, ended, snapshot }: Unread): RawBuilder<unknown> {
  return sql`(txid > ${after}::xid8 and txid <= ${until}::xid8 or txid = any(${ended}::xid8[]))
    and pg_visible_in_snapshot(txid, ${snapshot}::pg_snapshot)`
}

/** Anonymises events about erased people: their mails still bounce and are still opened, which counts in the reports. */
async function forgetErased(tx: Db, unread: Unread): Promise<void> {
  await sql`
    update event set email = null, ip = null, user_agent = null, reply = null
    where ${isUnread(unread)} and email = ${ERASED_ADDRESS}`.execute(tx)
  await sql`delete from fresh_event where email = ${ERASED_ADDRESS}`.execute(tx)
}

/** Opens and clicks of a member that one application learns from; further ones are the oldest. */
const MOST_HITS = 48

/** Adds the events to the pending state, by member and address. The address is the event's, else the ledger's. */
async function addPendingState(tx: Db): Promise<void> {
  await sql`
    insert into member_pending_state as p (client_id, member_table_id, member_id, address,
      hardbounced_at, complained_at, last_opened_at, last_clicked_at, softbounced, hits)
    select e.client_id, e.member_table_id, e.member_id, lower(coalesce(e.email, d.email, '')),
      min(e.ts) filter (where e.type = 'bounce' and ${isHard('e')}),
      min(e.ts) filter (where e.type = 'complaint'),
      max(e.ts) filter (where e.type = 'open'),
      max(e.ts) filter (where e.type = 'click'),
      bool_or(e.type = 'bounce' and not ${isHard('e')}),
      array_agg(date_bin('15 minutes', e.ts, 'epoch')) filter (where ${isHit('e')})
    from fresh_event as e
    join member_table as t on t.client_id = e.client_id and t.member_table_id = e.member_table_id
    left join delivery as d on e.email is null and d.client_id = e.client_id and d.campagne_id = e.campagne_id
      and d.member_id = e.member_id
    where e.member_id > 0
      and (e.type in ('bounce', 'complaint') or ${isHit('e')})
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (client_id, member_table_id, member_id, address) do update set
      hardbounced_at = least(p.hardbounced_at, excluded.hardbounced_at),
      complained_at = least(p.complained_at, excluded.complained_at),
      last_opened_at = greatest(p.last_opened_at, excluded.last_opened_at),
      last_clicked_at = greatest(p.last_clicked_at, excluded.last_clicked_at),
      softbounced = p.softbounced or excluded.softbounced,
      hits = array(
        select distinct hit from unnest(p.hits || excluded.hits) as hit order by hit desc limit ${MOST_HITS})`.execute(
    tx,
  )
}

/** Stores the addresses with hard bounces of transactional emails, whose recipients are not always members. */
async function addBouncedAddresses(tx: Db): Promise<void> {
  await sql`
    insert into bounced_address as b (client_id, address, bounced_at)
    select e.client_id, lower(coalesce(e.email, d.email)), min(e.ts)
    from fresh_event as e
    join transactional_campaign as c on c.client_id = e.client_id and c.campagne_id = e.campagne_id
    left join delivery as d on e.email is null and d.client_id = e.client_id and d.campagne_id = e.campagne_id
      and d.member_id = e.member_id
    where e.type = 'bounce' and ${isHard('e')} and coalesce(e.email, d.email) is not null
    group by 1, 2
    order by 1, 2
    on conflict (client_id, address) do update set bounced_at = greatest(b.bounced_at, excluded.bounced_at)`.execute(
    tx,
  )
}
