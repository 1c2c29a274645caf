import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { letterOfVariant } from '../campaigns/split/variant-letter.ts'
import { isHard } from '../reports/counted.ts'
import { recipientIds } from './recipient-ids.ts'

const cursor = 'webhooks'

/** Most events read from the log in one transaction, and most events of one call. */
const batch = 5_000
const perCall = 500

/**
 * Follows the event log and writes the events that webhooks subscribe to into calls of up to 500, with set operations:
 * a million opens take 200 transactions and 2,000 calls. Reads by transaction id, like all readers of the log
 * (docs/adr/0002); cursor and calls change together, so a crash neither loses nor repeats events. Without active
 * webhooks nothing is read or written.
 * @returns whether events may remain: call again while it is true
 */
export function gatherEvents(db: Db): Promise<boolean> {
  return transaction(db, async tx => {
    const since = await findStart(tx)
    if (since === null) return false
    await sql`insert into event_cursor (name) values (${cursor}) on conflict do nothing`.execute(tx)
    const locked = await sql<{ txid: string }>`
      select txid::text from event_cursor where name = ${cursor} for update skip locked`.execute(tx)
    const after = locked.rows[0]?.txid
    if (after === undefined) return false
    const until = await findEnd(tx, after, since)
    if (until === null) return false
    await sql`
      with listener as (
        select client_id, webhook_id, events, since_txid from webhook where active and deleted_at is null
      ), fresh as (
        select e.*, case
          when e.type = 'bounce' and ${isHard('e')} then 'mail.hard_bounced'
          when e.type = 'bounce' then 'mail.soft_bounced'
          when e.type = 'complaint' then 'mail.complained'
          when e.type = 'open' then 'mail.opened'
          when e.type = 'click' then 'mail.clicked'
          when e.type = 'join' then 'member.subscribed'
          when e.type = 'unsubscribe' then 'member.unsubscribed'
          when e.type = 'edit' then 'member.changed' end as kind
        from event e
        where e.txid > ${after}::xid8 and e.txid >= ${since}::xid8 and e.txid <= ${until}::xid8
      ), wanted as (
        select l.webhook_id, f.*,
          (row_number() over (partition by l.webhook_id order by f.event_id) - 1) / ${perCall} as call
        from fresh f
        join listener l on l.client_id = f.client_id and f.kind = any(l.events) and f.txid >= l.since_txid
      )
      insert into webhook_message (client_id, webhook_id, types, event_count, events)
      select w.client_id, w.webhook_id, array_agg(distinct w.kind), count(*),
        jsonb_agg(jsonb_build_object(
          'id', 'event-' || w.event_id, 'type', w.kind, 'timestamp', webhook_time(w.ts),
          'data', jsonb_strip_nulls(jsonb_build_object(
            'campaign_id', w.campagne_id, 'member_table_id', w.member_table_id,
            ${recipientIds(sql.ref('w.member_id'))}, 'email', w.email, 'variant', got.variant,
            'url', link.url, 'link_index', w.link_index, 'verdict', w.verdict, 'device', w.device,
            'mail_client', w.agent_client, 'smtp_code', w.smtp_code, 'enhanced_code', w.enhanced,
            'reason', w.reply, 'class', w.class, 'source', w.source, 'changed', w.details -> 'fields'))
        ) order by w.event_id)
      from wanted w
      left join campaign c on w.link_index is not null and c.client_id = w.client_id and c.campagne_id = w.campagne_id
      left join lateral (
        select each ->> 'url' as url from jsonb_array_elements(c.snapshot -> 'links') as each
        where (each ->> 'index')::int = w.link_index limit 1) link on true
      left join campaign tested
        on tested.split is not null and tested.client_id = w.client_id and tested.campagne_id = w.campagne_id
      left join lateral (
        select ${letterOfVariant('d', 'tested')} as variant from delivery d
        where d.client_id = tested.client_id and d.campagne_id = tested.campagne_id and d.member_id = w.member_id
        limit 1) got on true
      group by w.client_id, w.webhook_id, w.call`.execute(tx)
    await sql`
      update event_cursor set txid = ${until}::xid8, updated_at = now() where name = ${cursor}`.execute(tx)
    return true
  })
}

/** Oldest start of the active webhooks in the event log; null when there are none. */
async function findStart(tx: Db): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select min(since_txid)::text as since from webhook
    where active and deleted_at is null and events && ${logged}::text[]`.execute(tx)
  return rows[0]?.since ?? null
}

/** Event types that come from the event log. */
const logged = [
  'mail.hard_bounced',
  'mail.soft_bounced',
  'mail.complained',
  'mail.opened',
  'mail.clicked',
  'member.subscribed',
  'member.unsubscribed',
  'member.changed',
]

/** Last transaction of the next batch, read as whole transactions; null when no finished one is left. */
async function findEnd(tx: Db, after: string, since: string): Promise<string | null> {
  const { rows } = await sql<{ until: string | null }>`
    select max(txid)::text as until from (
      select txid from event
      where txid > ${after}::xid8 and txid >= ${since}::xid8 and txid < pg_snapshot_xmin(pg_current_snapshot())
      order by txid limit ${batch}
    ) as next`.execute(tx)
  return rows[0]?.until ?? null
}
