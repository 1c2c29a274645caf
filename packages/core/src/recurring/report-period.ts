import { fieldError, invalid } from '@emma/contract/errors.ts'
import { type RawBuilder, sql } from 'kysely'

const DAY_MS = 86_400_000
const EARLIEST_ZONE_MS = 14 * 3_600_000
const DEFAULT_DAYS = 90
const MOST_DAYS = 366

/**
 * SQL condition on campaigns (alias c) and their client (alias client): started in a period of the client's time zone,
 * by default in the last 90 days.
 * @throws EmmaError `invalid` for a period of more than 366 days
 */
export function startedInPeriod(
  { start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined },
  now: Date,
): RawBuilder<boolean> {
  // The day may have begun already in the client's time zone.
  const end = end_date ?? dayOf(now.getTime() + EARLIEST_ZONE_MS)
  const start = start_date ?? dayOf(Date.parse(end) - (DEFAULT_DAYS - 1) * DAY_MS)
  if (Date.parse(end) - Date.parse(start) > MOST_DAYS * DAY_MS)
    throw invalid([fieldError('start_date', 'field.days', { min: 1, max: MOST_DAYS })])
  return sql`(c.started_at >= ${start}::date::timestamp at time zone client.timezone
    and c.started_at < (${end}::date + 1)::timestamp at time zone client.timezone)`
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
