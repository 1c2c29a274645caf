import type { LearnedTime } from '@emma/contract/learned-time.ts'
import { knownHour } from '@emma/core/audience/hours/known-hour.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'

/** SQL fragments that give each recipient a group and an hour. */
export interface LearnedHours {
  /** Best hour of members (alias m), null with too few observations; with a leading comma, and the same of seeds. */
  memberColumns: RawBuilder<unknown>
  seedColumns: RawBuilder<unknown>
  memberJoins: RawBuilder<unknown>
  /** Over rows with `member_id`, `best_hour` and `verdict`: the group; null for seeds and those who get nothing. */
  group: RawBuilder<unknown>
  /** Over rows with the group and `open_hours` as well: hour of the day; null: the campaign's own time. */
  hour: RawBuilder<unknown>
}

/**
 * Divides the recipients by chance, repeatably: a control group, members with too few observations and a few others at a
 * random hour outside quiet hours, the rest at their best hour.
 */
export function learnedHours(
  { control_percent, explore_percent, min_observations }: LearnedTime,
  { clientId, campaignId, memberTableId }: CampaignKey & { memberTableId: number },
): LearnedHours {
  const random = (draw: number) => randomOf(campaignId, draw)
  return {
    memberColumns: sql`, ${knownHour(min_observations)} as best_hour`,
    seedColumns: sql`, null::smallint`,
    memberJoins: sql`left join member_hours h on h.client_id = ${clientId}
      and h.member_table_id = ${memberTableId} and h.member_id = m.member_id`,
    group: sql`case
      when member_id < 0 or verdict is not null then null
      when ${random(1)} < ${control_percent}::int / 100.0
        then case when best_hour is null then 'control' else 'control_known' end
      when best_hour is null then 'explore'
      when ${random(2)} < ${explore_percent}::int / 100.0 then 'explore_known'
      else 'focus' end::time_group`,
    hour: sql`case
      when time_group = 'focus' then best_hour
      when time_group in ('explore', 'explore_known')
        then open_hours[1 + floor(${random(3)} * cardinality(open_hours))::int]
    end`,
  }
}

/** A number from 0 to 1 by member and campaign; independent for each draw. */
function randomOf(campaignId: number, draw: number): RawBuilder<unknown> {
  return sql`((hashint8extended(member_id, ${campaignId}::bigint * 8 + ${draw}::int) & 1048575) / 1048576.0)`
}

/** Full hours outside the quiet hours of a row with `begins` and `ends`; all of them if there are none outside. */
export const openHours = sql`(
  select coalesce(array_agg(hour) filter (where not is_quiet), array_agg(hour))
  from (
    select hour, coalesce(case when begins <= ends then at >= begins and at < ends
      else at >= begins or at < ends end, false) as is_quiet
    from (select hour, make_time(hour, 0, 0) as at from generate_series(0, 23) as hour) as each
  ) as each)`
