import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { TenantScope } from '../resource/actor.ts'
import type { Fields } from '../resource/operations.ts'

/** The figures a client sees first: people, this month's volume, what runs, the volume of the last 30 days. */
export async function readOverview(sql: Sql, scope: TenantScope): Promise<Fields> {
  const clients = scope.clientIds === 'all' ? null : scope.clientIds
  const own = raw`(${clients}::int[] is null or client_id = any(${clients}::int[]))`
  // A campaign that ended before has no mails of these days: its ledger need not be read.
  const atWork = raw`(client_id, campagne_id) in (
    select client_id, campagne_id from campaign
    where ${own} and started_at is not null and (finished_at is null or finished_at >= current_date - 31))`
  const totals = await raw<Fields>`
    select
      (select coalesce(sum(stats_active), 0) from member_table where ${own} and deleted_at is null) as members_active,
      (select coalesce(sum(stats_total), 0) from member_table where ${own} and deleted_at is null) as members_total,
      (select count(*) from campaign where ${own} and valid in (2, 4) and deleted_at is null) as campaigns_running,
      (select count(*) from campaign where ${own} and valid = 1 and deleted_at is null) as campaigns_scheduled,
      (select count(*) from delivery where ${own} and ${atWork} and state = 'sent'
        and recorded_at >= date_trunc('month', now())) as sent_month`.execute(sql)
  const volume = await raw<Fields>`
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(sent, 0) as sent, coalesce(opens, 0) as opens,
      coalesce(clicks, 0) as clicks
    from generate_series(current_date - 29, current_date, interval '1 day') as day
    left join (
      select recorded_at::date as day, count(*) as sent from delivery
      where ${own} and ${atWork} and state = 'sent' and recorded_at >= current_date - 29 group by 1
    ) d using (day)
    left join (
      select ts::date as day, count(*) filter (where type = 'open') as opens,
        count(*) filter (where type = 'click') as clicks
      from event where ${own} and ts >= current_date - 29 and verdict = 'human' and type in ('open', 'click') group by 1
    ) e using (day)
    order by day`.execute(sql)
  return { ...totals.rows[0], volume: volume.rows }
}
