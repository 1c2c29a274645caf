import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { quietHours } from '@emma/core/deliverability/limits/quiet-hours.ts'
import type { SplitArms } from './split-arms.ts'

/** SQL fragments for the due time of each recipient, used by the statement that fills the ledger. */
export interface DueTimes {
  /** Required member columns. */
  memberColumns: RawBuilder<unknown>
  seedColumns: RawBuilder<unknown>
  joins: RawBuilder<unknown>[]
  /** Over the rows of `judged`: due time and time zone; null if the campaign has no local time. */
  due: RawBuilder<unknown>
  zone: RawBuilder<unknown>
}

const AT_ONCE: DueTimes = {
  memberColumns: sql``,
  seedColumns: sql``,
  joins: [],
  due: sql`now()`,
  zone: sql`null::text`,
}

/** Usual column names of time zones and countries in datasources. */
const ZONE_COLUMNS = ['timezone', 'time_zone', 'tz', 'zeitzone']
const COUNTRY_COLUMNS = ['country', 'country_code', 'land', 'pais']

/**
 * Computes when the recipients of a campaign are due: at once, at the same local time in each time zone, or a number
 * per send window. Members without time zone and known country use the client's. A local time that has passed moves
 * to the next day; one in the quiet hours moves to their end.

 */
export async function dueTimes(
  tx: Db,
  { clientId, campaignId, memberTableId }: CampaignKey & { memberTableId: number },
  { verdict, order }: Pick<SplitArms, 'verdict' | 'order'>,
): Promise<DueTimes> {
  const campaign = await tx
    .selectFrom('campaign')
    .select(['local_time', 'window_mails', 'window_minutes'])
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .executeTakeFirst()
  if (!campaign) return AT_ONCE
  const local = campaign.local_time ? await localTimes(tx, { clientId, campaignId, memberTableId }) : AT_ONCE
  if (campaign.window_mails === 0) return local
  // Numbered over the recipients that are sent to.
  const before = sql`count(*) filter (where ${verdict} is null) over (order by ${order}) - 1`
  const window = sql`floor(greatest(0, ${before}) / ${campaign.window_mails}::int)`
  const due = sql`${local.due} + make_interval(mins => (${window} * ${campaign.window_minutes}::int)::int)`
  if (!campaign.local_time) return { ...local, due }
  return { ...local, due: sql`after_quiet(${due}, own.tz, own.begins, own.ends)` }
}

/**
 * Time zones as people write them, where PostgreSQL reads them differently: `UTC+2` is east, not west as in POSIX
 * (`Etc/GMT+2` is a zone name, and west); `CET` has daylight saving time, which it lacks as an abbreviation.
 */
const meantZone = sql<string | null>`coalesce(case upper(trim(place.zone))
    when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels'
    when 'EET' then 'Europe/Athens' when 'WET' then 'Europe/Lisbon'
  end, (
  select 'UTC' || translate(part[1], '+-−', '-++') || part[2] || coalesce(':' || part[3], '')
  from regexp_match(trim(place.zone), ${sql.lit(String.raw`^(?:utc|gmt)?\s*([+−-])\s*(\d{1,2})(?::?(\d\d))?$`)}, 'i') as part))`

async function localTimes(
  tx: Db,
  { clientId, campaignId, memberTableId }: CampaignKey & { memberTableId: number },
): Promise<DueTimes> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${`members.t${memberTableId}`}) and attnum > 0 and not attisdropped
      and attname = any(${[...ZONE_COLUMNS, ...COUNTRY_COLUMNS]}::text[])`.execute(tx)
  const found = (names: readonly string[]) => {
    const name = names.find(one => rows.some(row => row.name === one))
    return name === undefined ? sql`null::text` : sql`m.${sql.id(name)}::text`
  }
  return {
    memberColumns: sql`, ${found(ZONE_COLUMNS)} as zone, ${found(COUNTRY_COLUMNS)} as country`,
    seedColumns: sql`, null::text as zone, null::text as country`,
    joins: [
      sql`left join (
        select place.zone, place.country, tz, begins, ends,
          after_quiet(next_local_hour(at, tz), tz, begins, ends) as at
        from (
          select place.zone, place.country, start.begins, start.ends, tz.name as tz,
            from_wall_clock(start.wall, tz.name) as at
          from (select distinct zone, country from judged) place
          left join lateral (
            select zone from country_zone
            where country = upper(trim(place.country)) or name = lower(trim(place.country))
            limit 1
          ) c on true
          cross join (
            select client.timezone, wall_clock(coalesce(startdate, now()), client.timezone) as wall,
              ${quietHours.begins} as begins, ${quietHours.ends} as ends
            from campaign c join client using (client_id)
            where client_id = ${clientId} and campagne_id = ${campaignId}
          ) start
          cross join lateral (
            select name from unnest(array[${meantZone}, trim(place.zone), c.zone, start.timezone, 'UTC']) as name
            where name <> '' and from_wall_clock(start.wall, name) is not null
            limit 1
          ) tz
        ) place
      ) own on own.zone is not distinct from judged.zone and own.country is not distinct from judged.country`,
    ],
    due: sql`coalesce(own.at, now())`,
    zone: sql`own.tz`,
  }
}
