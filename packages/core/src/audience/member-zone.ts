import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'

/** Usual column names of time zones and countries in datasources. */
const ZONE_COLUMNS = ['timezone', 'time_zone', 'tz', 'zeitzone']
const COUNTRY_COLUMNS = ['country', 'country_code', 'land', 'pais']

/** SQL values of members (alias m): what their datasource says about their time zone; '' if nothing. */
export interface ZoneColumns {
  zone: RawBuilder<string>
  country: RawBuilder<string>
}

/** Finds the columns with time zone and country of a datasource. */
export async function findZoneColumns(tx: Db, memberTableId: number): Promise<ZoneColumns> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${`members.t${memberTableId}`}) and attnum > 0 and not attisdropped
      and attname = any(${[...ZONE_COLUMNS, ...COUNTRY_COLUMNS]}::text[])`.execute(tx)
  const valueOf = (names: readonly string[]) => {
    const name = names.find(each => rows.some(row => row.name === each))
    return name === undefined ? sql<string>`''::text` : sql<string>`coalesce(m.${sql.id(name)}::text, '')`
  }
  return { zone: valueOf(ZONE_COLUMNS), country: valueOf(COUNTRY_COLUMNS) }
}

/**
 * SQL joins of a row `place` with the columns `zone` and `country`: `tz.name` is its time zone; that of its country, or
 * `fallback`, if it has none that PostgreSQL knows.
 */
export function zoneJoins(fallback: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    left join lateral (
      select zone from country_zone
      where country = upper(trim(place.country)) or name = lower(trim(place.country))
      limit 1
    ) c on true
    cross join lateral (
      select name from unnest(array[${meantZone}, trim(place.zone), c.zone, ${fallback}, 'UTC']) as name
      where name <> '' and from_wall_clock(now()::timestamp, name) is not null
      limit 1
    ) tz`
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
