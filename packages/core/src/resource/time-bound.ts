import { type RawBuilder, sql } from 'kysely'

/**
 * Condition: a time is at or after, or at or before a bound. A bound without a time of day means the whole day in
 * `timezone`: `before 2026-11-21` includes that day.
 */
export function timeBound(
  column: RawBuilder<unknown>,
  side: 'after' | 'before',
  bound: unknown,
  timezone: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isDay = typeof bound === 'string' && /^\d{4}-\d\d-\d\d$/.test(bound)
  if (!isDay) return sql`${column} ${sql.raw(side === 'after' ? '>=' : '<=')} ${bound}::timestamptz`
  return side === 'after'
    ? sql`${column} >= ${bound}::date::timestamp at time zone ${timezone}`
    : sql`${column} < (${bound}::date + 1)::timestamp at time zone ${timezone}`
}
