import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { quietHours } from '../limits/quiet-hours.ts'
import { warmupName } from '../limits/warmup-day.ts'

/** The client's calendar from the start of a sending on, and the warm-up of its domain. */
export interface SendingCalendar {
  days: CalendarDay[]
  /** Days from today until the first one. */
  ahead: number
  domain: { name: string; bucket: string; warmup_day: number | null; warmup_volumes: number[] } | null
}

export interface CalendarDay {
  date: string
  /** In milliseconds since 1970. */
  begins: number
  ends: number
  quiet: { from: number; to: number }[]
}

/** Days of the calendar. */
const DAYS = 366

interface Asked {
  clientId: number
  domainId: number | null
  start: Date
  /** Quiet hours of the campaign; null: those of its client. */
  quiet: { from: string | null; to: string | null }
}

/** Reads the days of the client's time zone with their quiet hours, by the rules that the engine follows. */
export async function readCalendar(
  db: Db,
  { clientId, domainId, start, quiet }: Asked,
): Promise<SendingCalendar> {
  const { rows } = await sql<CalendarRow>`
    with hours as (
      select client.timezone, ${quietHours.begins} as quiet_from, ${quietHours.ends} as quiet_to,
        wall_clock(${start}::timestamptz, client.timezone)::date as first
      from client
      cross join (select 1 as ctype, ${quiet.from}::time as quiet_from, ${quiet.to}::time as quiet_to) c
      where client.client_id = ${clientId}
    )
    select day::date::text as date, ${instant(sql`day`)} as begins, ${instant(sql`day + interval '1 day'`)} as ends,
      ${instant(sql`day + quiet_from`)} as "quietFrom", ${instant(sql`day + quiet_to`)} as "quietTo",
      quiet_from > quiet_to as "overMidnight"
    from hours, generate_series(first::timestamp, first + ${DAYS - 1}::int, interval '1 day') as day
    order by day`.execute(db)
  const domain = await sql<{
    ahead: number
    name: string | null
    warmup_day: number | null
    warmup_volumes: number[]
  }>`
    select wall_clock(${start}::timestamptz, client.timezone)::date - wall_clock(now(), client.timezone)::date as ahead,
      d.name, wall_clock(now(), client.timezone)::date - d.warmup_start as warmup_day, d.warmup_volumes
    from client left join domain d on d.client_id = client.client_id and d.domain_id = ${domainId}
    where client.client_id = ${clientId}`.execute(db)
  const [found] = domain.rows
  return {
    days: rows.map(({ date, begins, ends, ...row }) => ({
      date,
      begins,
      ends,
      quiet: quietSpans(begins, ends, row),
    })),
    ahead: found?.ahead ?? 0,
    domain:
      found && found.name !== null
        ? { ...found, name: found.name, bucket: warmupName('domain', clientId, domainId) }
        : null,
  }
}

interface CalendarRow {
  date: string
  begins: number
  ends: number
  quietFrom: number | null
  quietTo: number | null
  overMidnight: boolean | null
}

/** A wall-clock time of the client in milliseconds; UTC if its time zone is unknown. */
function instant(wall: ReturnType<typeof sql>) {
  return sql`(extract(epoch from coalesce(
    from_wall_clock(${wall}, timezone), (${wall}) at time zone 'UTC')) * 1000)::float8`
}

/** Quiet hours over midnight are the end of one day and the beginning of the next. */
function quietSpans(
  begins: number,
  ends: number,
  { quietFrom, quietTo, overMidnight }: Pick<CalendarRow, 'quietFrom' | 'quietTo' | 'overMidnight'>,
): { from: number; to: number }[] {
  if (quietFrom === null || quietTo === null) return []
  const spans = overMidnight
    ? [
        { from: begins, to: quietTo },
        { from: quietFrom, to: ends },
      ]
    : [{ from: quietFrom, to: quietTo }]
  return spans.filter(({ from, to }) => from < to)
}
