import { campaignState, transactionalTypes } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { isHit, isSent } from '../reports/counted.ts'
import { deliveriesOf, eventsOf, everyDay, since } from './view-filter.ts'

interface Totals {
  members_active: number
  members_total: number
  campaigns_running: number
  campaigns_scheduled: number
  sent_month: number
}

interface DayVolume {
  /** `2026-01-31` */
  day: string
  sent: number
  opens: number
  clicks: number
}

/**
 * Overview figures of a client: members, this month's volume, running and scheduled campaigns, and the volume of the
 * last 30 days. Sent are mails with a final reply, as nb_send in the reports.
 */
export async function readOverview(
  db: Db,
  clientId: number,
): Promise<Partial<Totals> & { volume: DayVolume[] }> {
  const days = 30
  // No month has more than 31 days, so this covers the current one.
  const all = { clientId, days: days + 1, memberTableId: undefined, campaignIds: undefined }
  const own = sql`client_id = ${clientId} and deleted_at is null`
  const sent = sql`${deliveriesOf(all)} and ${isSent('l')}`
  const totals = await sql<Totals>`
    select
      (select coalesce(sum(stats_active), 0) from member_table where ${own}) as members_active,
      (select coalesce(sum(stats_total), 0) from member_table where ${own}) as members_total,
      (select count(*) from campaign where ${own} and ctype <> all(${transactionalTypes}::int[])
        and valid in (${campaignState.running}, ${campaignState.preparing})) as campaigns_running,
      (select count(*) from campaign where ${own} and valid = ${campaignState.scheduled}) as campaigns_scheduled,
      (select count(*) from ${sent} and l.recorded_at >= date_trunc('month', now())) as sent_month`.execute(
    db,
  )
  const volume = await sql<DayVolume>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sent, 0) as sent, coalesce(opens, 0) as opens,
      coalesce(clicks, 0) as clicks
    from ${everyDay(days)}
    left join (
      select l.recorded_at::date as day, count(*) as sent from ${sent} and l.recorded_at >= ${since(days)} group by 1
    ) l on l.day = d.day
    left join (
      select e.ts::date as day, count(*) filter (where e.type = 'open') as opens,
        count(*) filter (where e.type = 'click') as clicks
      from ${eventsOf({ ...all, days })} and ${isHit('e')}
      group by 1
    ) e on e.day = d.day
    order by d.day`.execute(db)
  return { ...totals.rows[0], volume: volume.rows }
}
