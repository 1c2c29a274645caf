import { type RawBuilder, sql as raw } from 'kysely'

/**
 * A time at or after, or at or before a bound, which is included. A bound without a time of day means the whole day
 * (UTC): `before 2026-11-21` takes everything of that day.
 */
export function timeBound(
  column: RawBuilder<unknown>,
  side: 'after' | 'before',
  bound: unknown,
): RawBuilder<unknown> {
  if (side === 'after') return raw`${column} >= ${bound}::timestamptz`
  const isDay = typeof bound === 'string' && /^\d{4}-\d\d-\d\d$/.test(bound)
  return isDay
    ? raw`${column} < ${bound}::timestamptz + interval '1 day'`
    : raw`${column} <= ${bound}::timestamptz`
}
