import { learnedTime } from '@emma/contract/learned-time.ts'
import { readColumns } from '@emma/core/audience/datasources/datasource.ts'
import { findZoneColumns, zoneJoins } from '@emma/core/audience/member-zone.ts'
import { quietHours } from '@emma/core/deliverability/limits/quiet-hours.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { learnedHours, openHours } from './learned-hours.ts'
import { sendOrder } from './send-order.ts'
import type { SplitArms } from './split-arms.ts'

/** SQL fragments for the due time of each recipient, used by the statement that fills the ledger. */
export interface DueTimes {
  /** Required member columns, each with a leading comma, and the same of seeds. */
  memberColumns: RawBuilder<unknown>
  seedColumns: RawBuilder<unknown>
  memberJoins: RawBuilder<unknown>
  /** Names of the CTE with the skip reasons, and of their column, from which `steps` make `judged` with `verdict`. */
  reasoned: RawBuilder<unknown>
  reason: RawBuilder<unknown>
  steps: RawBuilder<unknown>
  /** Over the rows of `judged`: due time, time zone and group; null if the campaign has no hours of its recipients. */
  due: RawBuilder<unknown>
  zone: RawBuilder<unknown>
  group: RawBuilder<unknown>
}

const AT_ONCE: DueTimes = {
  memberColumns: sql``,
  seedColumns: sql``,
  memberJoins: sql``,
  reasoned: sql`judged`,
  reason: sql`verdict`,
  steps: sql``,
  due: sql`now()`,
  zone: sql`null::text`,
  group: sql`null::time_group`,
}

type Table = CampaignKey & { memberTableId: number }

/**
 * Computes when the recipients of a campaign are due, in this order of precedence:
 * 1. the campaign's own time: now, or the same local time in each time zone; one that has passed by `local_past`;
 * 2. the learned hour, within 24 hours from it on;
 * 3. in batches, later by the number of its batch;
 * 4. never in quiet hours, but at their end.
 * Within a second they are due in the order of sending. Members without time zone and known country use the client's.
 */
export async function dueTimes(
  tx: Db,
  table: Table,
  { verdict, first }: Pick<SplitArms, 'verdict' | 'first'>,
): Promise<DueTimes> {
  const campaign = await tx
    .selectFrom('campaign')
    .select(['local_time', 'learned_time', 'window_mails', 'window_minutes'])
    .select(['send_order', 'order_column', 'order_descending'])
    .where('client_id', '=', table.clientId)
    .where('campagne_id', '=', table.campaignId)
    .executeTakeFirst()
  if (!campaign) return AT_ONCE
  const hasHours = campaign.local_time || campaign.learned_time !== null
  const times = hasHours ? await recipientHours(tx, table, campaign.learned_time) : AT_ONCE
  const columns = campaign.send_order === 'column' ? await readColumns(tx, [table.memberTableId]) : null
  const names = columns?.get(table.memberTableId)?.map(column => column.column_name) ?? []
  const order = sendOrder(campaign, names)
  const sorted = sql`order by ${first} ${order.order}`
  let { due } = times
  if (campaign.window_mails > 0) {
    // Numbered over the recipients that are sent to.
    const before = sql`count(*) filter (where ${verdict} is null) over (${sorted}) - 1`
    const window = sql`floor(greatest(0, ${before}) / ${campaign.window_mails}::int)`
    due = sql`${due} + make_interval(mins => (${window} * ${campaign.window_minutes}::int)::int)`
    if (hasHours) due = sql`after_quiet(${due}, judged.tz, judged.begins, judged.ends)`
  }
  // Microseconds: more recipients share some.
  if (order.isChosen)
    due = sql`date_trunc('second', ${due}) + make_interval(secs => 0.999999 * percent_rank() over (${sorted}))`
  return {
    ...times,
    memberColumns: sql`${times.memberColumns} ${order.memberColumns}`,
    seedColumns: sql`${times.seedColumns} ${order.seedColumns}`,
    due,
  }
}

/** Own time in the recipient's time zone, and the learned hour. */
async function recipientHours(tx: Db, table: Table, learned: unknown): Promise<DueTimes> {
  const { clientId, campaignId, memberTableId } = table
  const columns = await findZoneColumns(tx, memberTableId)
  const settings = learnedTime.nullable().parse(learned)
  const hours = settings && learnedHours(settings, table)
  return {
    memberColumns: sql`, ${columns.zone} as zone, ${columns.country} as country ${hours?.memberColumns ?? sql``}`,
    seedColumns: sql`, '', '' ${hours?.seedColumns ?? sql``}`,
    memberJoins: hours?.memberJoins ?? sql``,
    reasoned: sql`reasoned`,
    reason: sql`reason_of_member`,
    steps: sql`start as (
      select client.timezone, c.local_time, c.local_past, (${quietHours.begins})::time as begins,
        (${quietHours.ends})::time as ends, wall_clock(coalesce(c.startdate, now()), client.timezone) as wall
      from campaign c join client using (client_id)
      where c.client_id = ${clientId} and c.campagne_id = ${campaignId}
    ), place as (
      select place.zone, place.country, tz.name as tz
      from (select distinct zone, country from reasoned) place
      cross join start
      ${zoneJoins(sql`start.timezone`)}
    ), clock as (
      select tz, local_time, begins, ends, local_past = 'skip' and is_past as is_skipped, after_quiet(at, tz, begins, ends) as at
        ${hours ? sql`, ${hourTable}` : sql``}
      from (
        select tz, start.*, is_past, case when not local_time then now()
          when not is_past then local_at when local_past = 'tomorrow' then next_local_hour(local_at, tz) else now() end as at
        from (select distinct tz from place) zone
        cross join start
        cross join lateral (select from_wall_clock(start.wall, tz) as local_at) own
        cross join lateral (select local_time and next_local_hour(local_at, tz) <> local_at as is_past) past
      ) zone
    ), judged as (
      select timed.*, ${hours ? sql`case when time_hour is null then at else hours[time_hour + 1] end` : sql`at`} as planned_at
      from (
        select grouped.*, ${hours?.hour ?? sql`null::int`} as time_hour
        from (
          select found.*, ${hours?.group ?? sql`null::time_group`} as time_group
          from (
            select reasoned.*, clock.*,
              coalesce(reason_of_member, case when is_skipped and member_id > 0 then 'time_passed'::skip_reason end) as verdict
            from reasoned join place using (zone, country) join clock using (tz)
          ) found
        ) grouped
      ) timed
    ), `,
    due: sql`judged.planned_at`,
    zone: sql`judged.tz`,
    group: sql`judged.time_group`,
  }
}

/** Full hours outside quiet hours; and by hour of the day, when it is next, from the own time on, or they end. */
const hourTable = sql`${openHours} as open_hours, array(
  select after_quiet(next_full_hour(zone.at, hour, tz), tz, begins, ends)
  from generate_series(0, 23) as hour order by hour) as hours`
