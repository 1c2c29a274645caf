import { HALF_LIFE_DAYS } from '@emma/contract/learned-time.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'
import { findZoneColumns, zoneJoins } from '../member-zone.ts'

/**
 * CTEs that add the opens and clicks of `taken` (columns `target`, `hits`) to member_hours, by hour of the day in the
 * member's time zone. Several within one hour count once: they are about one mail. What was there has lost half its weight
 * per HALF_LIFE_DAYS.
 */
export async function learnHours(
  tx: Db,
  { client_id, member_table_id }: Pick<Datasource, 'client_id' | 'member_table_id'>,
): Promise<RawBuilder<unknown>> {
  const { zone, country } = await findZoneColumns(tx, member_table_id)
  const decay = sql`power(0.5, greatest(0, extract(epoch from hit.learned_at - l.learned_at)) / ${HALF_LIFE_DAYS * 86_400}::int)`
  return sql`hit as (
      select place.member_id, array_agg(distinct date_trunc('hour', wall_clock(hit, tz.name))) as hours, max(hit) as learned_at
      from (
        select t.target as member_id, t.hits, ${zone} as zone, ${country} as country, client.timezone
        from taken as t
        join ${membersTable(member_table_id)} as m on m.client_id = t.client_id and m.member_id = t.target
        join client on client.client_id = t.client_id
        where t.hits is not null
      ) as place
      ${zoneJoins(sql`place.timezone`)}
      cross join unnest(place.hits) as hit
      group by 1
    ), learned as (
      insert into member_hours (client_id, member_table_id, member_id, weights, last_hour, learned_at)
      select ${client_id}::bigint, ${member_table_id}::bigint, hit.member_id, array(
          select (coalesce(l.weights[hour + 1], 0) * coalesce(${decay}, 1) + count(seen.at))::real
          from generate_series(0, 23) as hour
          left join unnest(hit.hours) as seen (at)
            on extract(hour from seen.at) = hour and seen.at is distinct from l.last_hour
          group by hour order by hour
        ), greatest(l.last_hour, (select max(at) from unnest(hit.hours) as at)), greatest(l.learned_at, hit.learned_at)
      from hit
      left join member_hours as l on l.client_id = ${client_id} and l.member_table_id = ${member_table_id}
        and l.member_id = hit.member_id
      on conflict (client_id, member_table_id, member_id) do update set
        weights = excluded.weights, last_hour = excluded.last_hour, learned_at = excluded.learned_at
    )`
}
