import { type Db, transaction } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { type RawBuilder, sql } from 'kysely'
import { applyPendingState } from './apply-pending-state.ts'
import { suppressComplainers } from '../audience/blacklists/suppress-complainers.ts'

const cursor = 'members'
const batch = 5_000

/**
 * Follows the event log and keeps the members' state: hard bounces, soft bounces that add up, complaints, last opens and
 * clicks. Reads by transaction, so no event that commits late is missed, and a transaction that takes long (an import)
 * does not hold up the events of others; the cursor and what the events mean
 * (member_pending_state) move in one transaction, so a crash repeats nothing, and a repeated reading changes nothing
 * (every effect is the greatest or the earliest value). Then applies it to the members that nobody holds: an import
 * does not stop the following.
 *
 * @returns how many events were read: call again while it is not 0
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
    await suppressComplainers(tx)
    await sql`
      update event_cursor set txid = ${unread.until}::xid8, open_txids = ${unread.open}::xid8[], updated_at = now()
      where name = ${cursor}`.execute(tx)
    return read.rows[0]?.count ?? 0
  })
}

/** The next transactions of the log, each read whole: those after `after` up to `until`, and `ended` earlier ones. */
interface Unread {
  after: string
  until: string
  /** Had not ended when what follows them was read. */
  ended: string[]
  /** Up to `until`, not ended yet. */
  open: string[]
  /** What is visible in it has ended. */
  snapshot: string
}

/** Null when there is nothing to read, or somebody else reads. */
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

/** Mails of people who were erased meanwhile still come back, and are still opened: that counts, and tells of nobody. */
async function forgetErased(tx: Db, unread: Unread): Promise<void> {
  await sql`
    update event set email = null, ip = null, user_agent = null, reply = null
    where ${isUnread(unread)} and email = ${ERASED_ADDRESS}`.execute(tx)
  await sql`delete from fresh_event where email = ${ERASED_ADDRESS}`.execute(tx)
}

/** What the events mean, by member and address. The address is the event's, else the ledger's. */
async function addPendingState(tx: Db): Promise<void> {
  await sql`
    insert into member_pending_state as p (client_id, member_table_id, member_id, address,
      hardbounced_at, complained_at, last_opened_at, last_clicked_at, softbounced)
    select e.client_id, e.member_table_id, e.member_id, lower(coalesce(e.email, d.email, '')),
      min(e.ts) filter (where e.type = 'bounce' and e.hard),
      min(e.ts) filter (where e.type = 'complaint'),
      max(e.ts) filter (where e.type = 'open'),
      max(e.ts) filter (where e.type = 'click'),
      bool_or(e.type = 'bounce' and e.hard is not true)
    from fresh_event as e
    join member_table as t on t.client_id = e.client_id and t.member_table_id = e.member_table_id
    left join delivery as d on e.email is null and d.client_id = e.client_id and d.campagne_id = e.campagne_id
      and d.member_id = e.member_id
    where e.member_id > 0
      and (e.type in ('bounce', 'complaint') or e.type in ('open', 'click') and e.verdict = 'human')
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (client_id, member_table_id, member_id, address) do update set
      hardbounced_at = least(p.hardbounced_at, excluded.hardbounced_at),
      complained_at = least(p.complained_at, excluded.complained_at),
      last_opened_at = greatest(p.last_opened_at, excluded.last_opened_at),
      last_clicked_at = greatest(p.last_clicked_at, excluded.last_clicked_at),
      softbounced = p.softbounced or excluded.softbounced`.execute(tx)
}
