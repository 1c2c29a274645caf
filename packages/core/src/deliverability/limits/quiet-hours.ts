import { transactionalTypes } from '@emma/contract/campaign-states.ts'
import { type RawBuilder, sql } from 'kysely'

const EXEMPT = sql.join(transactionalTypes.map(type => sql.lit(type)))

/**
 * Quiet hours of campaign `c` of `client`, as times of day: its own, or those of its client; null without.
 * Transactional mail has none.
 */
export const quietHours = {
  begins: hours('quiet_from'),
  ends: hours('quiet_to'),
}

function hours(column: 'quiet_from' | 'quiet_to'): RawBuilder<string | null> {
  return sql`case when c.ctype in (${EXEMPT}) then null
    when c.quiet_from is null then client.${sql.ref(column)} else c.${sql.ref(column)} end`
}

/** Whether campaign `c` of `client` has quiet hours now. Hours over midnight are those outside the hours between. */
export const quietNow = sql<boolean>`(
  select coalesce(case when q.begins <= q.ends then t.at >= q.begins and t.at < q.ends
    else t.at >= q.begins or t.at < q.ends end, false)
  from (select wall_clock(now(), client.timezone)::time as at) t,
    (select ${quietHours.begins} as begins, ${quietHours.ends} as ends) q)`
