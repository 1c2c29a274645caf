import { HALF_LIFE_DAYS } from '@emma/contract/learned-time.ts'
import { type RawBuilder, sql } from 'kysely'

/** Best hour of a row of member_hours (alias h), 0 to 23; null with too few observations at this moment. */
export function knownHour(minObservations: number): RawBuilder<number | null> {
  const halfLives = sql`greatest(0, extract(epoch from now() - h.learned_at)) / ${HALF_LIFE_DAYS * 86_400}::int`
  return sql`case when h.observations * power(0.5, ${halfLives}) >= ${minObservations}::int then h.best_hour end`
}
