import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { letterOfVariant } from '../campaigns/split/variant-letter.ts'
import { isAccepted } from '../reports/counted.ts'
import { recipientIds } from './recipient-ids.ts'

const perCall = 500

/**
 * Writes accepted mails, which are rows of the ledger and not of the event log, into calls of up to 500 events, for
 * clients with a webhook for `mail.delivered`. The ledger has no index on time, which would slow down every delivery,
 * so each run reads active campaigns completely: the caller spaces runs by their duration. Returns the number of
 * clients.
 */
export async function gatherDeliveries(db: Db): Promise<number> {
  const { rows } = await sql<{ client_id: number; activated_at: string }>`
    select client_id, min(activated_at) as activated_at from webhook
    where active and deleted_at is null and 'mail.delivered' = any(events)
    group by client_id`.execute(db)
  for (const { client_id, activated_at } of rows) await gatherClient(db, client_id, activated_at)
  return rows.length
}

function gatherClient(db: Db, clientId: number, activatedAt: string): Promise<void> {
  return transaction(db, async tx => {
    await sql`
      insert into webhook_ledger_cursor (client_id, recorded_until) values (${clientId}, ${activatedAt})
      on conflict do nothing`.execute(tx)
    const locked = await sql`
      select 1 from webhook_ledger_cursor where client_id = ${clientId} for update skip locked`.execute(tx)
    if (locked.rows.length === 0) return
    await sql`
      with span as (
        select greatest(recorded_until, ${activatedAt}::timestamptz) as after, ${settledUntil} as until
        from webhook_ledger_cursor where client_id = ${clientId}
      ), moved as (
        update webhook_ledger_cursor c set recorded_until = greatest(c.recorded_until, span.until)
        from span where c.client_id = ${clientId}
      ), accepted as (
        select w.webhook_id, d.campagne_id, d.member_id, d.email, d.smtp_code, d.recorded_at, c.member_table_id,
          ${letterOfVariant('d', 'c')} as variant,
          (row_number() over (partition by w.webhook_id order by d.recorded_at, d.member_id) - 1) / ${perCall} as call
        from span
        join campaign c on c.client_id = ${clientId}
          and (c.valid in (${campaignState.running}, ${campaignState.paused})
            or c.finished_at > span.after - interval '1 hour')
        join delivery d on d.client_id = c.client_id and d.campagne_id = c.campagne_id and ${isAccepted('d')}
          and d.recorded_at > span.after and d.recorded_at <= span.until
        join webhook w on w.client_id = ${clientId} and w.active and w.deleted_at is null
          and 'mail.delivered' = any(w.events) and d.recorded_at > w.activated_at
      )
      insert into webhook_message (client_id, webhook_id, types, event_count, events)
      select ${clientId}, webhook_id, '{mail.delivered}', count(*),
        jsonb_agg(jsonb_build_object(
          'id', format('delivery-%s-%s', campagne_id, member_id), 'type', 'mail.delivered',
          'timestamp', webhook_time(recorded_at),
          'data', jsonb_strip_nulls(jsonb_build_object(
            'campaign_id', campagne_id, 'member_table_id', member_table_id,
            ${recipientIds(sql.ref('member_id'))}, 'email', email, 'variant', variant, 'smtp_code', smtp_code))
        ) order by recorded_at, member_id)
      from accepted group by webhook_id, call`.execute(tx)
  })
}

/**
 * Time up to which the ledger is complete. `recorded_at` is the start of a transaction, so open transactions that hold
 * the ledger count, plus a few seconds for those that are about to lock it.
 */
const settledUntil = sql`(
  select least(now() - interval '5 seconds', min(a.xact_start) - interval '1 millisecond')
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.database = (select oid from pg_database where datname = current_database())
    and l.relation = 'delivery'::regclass and l.mode = 'RowExclusiveLock' and a.pid <> pg_backend_pid())`
