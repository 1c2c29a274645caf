import { fieldError, invalid } from '@emma/contract/errors.ts'
import { isDateType, type Recurring } from './recurring.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { readColumns } from '../audience/datasources/datasource.ts'
import { isAnniversary } from '../audience/segments/compile-condition.ts'
import { mayHaveArrived } from '../reports/counted.ts'

/** Which members of its segment a run goes to, as decided when it was made; stored with its campaign. */
export interface RunAudience {
  /** Members whose date is `day`: by day and month only, if `yearly`. Times are compared in `tz`. */
  date: { column: string; day: string; yearly: boolean; tz: string } | null
  /** Members who got no earlier run, or none since `since`. */
  unless_sent: { since: string | null } | null
}

const DAY_MS = 86_400_000

/** Audience of the run planned for `at`; null: all members of the segment. `localDay`: its date in the time zone. */
export function runAudience(
  { schedule, trigger, date_column, offset_days, yearly, repeat_to, repeat_days }: Recurring,
  at: Date,
  localDay: string,
): RunAudience | null {
  const due = new Date(Date.parse(`${localDay}T00:00:00Z`) - offset_days * DAY_MS)
  const date =
    trigger === 'date_field' && date_column !== null
      ? { column: date_column, day: due.toISOString().slice(0, 10), yearly, tz: schedule.tz }
      : null
  const since =
    repeat_to === 'once_a_period' ? new Date(at.getTime() - repeat_days * DAY_MS).toISOString() : null
  const unlessSent = repeat_to === 'always' ? null : { since }
  return date || unlessSent ? { date, unless_sent: unlessSent } : null
}

/**
 * SQL condition on members (alias m of the datasource) that a campaign goes to; null for campaigns that go to all
 * members of their segment.
 *
 * @throws EmmaError `invalid` when the date column is not there any more
 */
export async function runCondition(
  db: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
  memberTableId: number,
): Promise<RawBuilder<boolean> | null> {
  const { rows } = await sql<{ audience: RunAudience | null; recurringId: number | null }>`
    select run_audience as audience, recurring_id as "recurringId" from campaign
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(db)
  const { audience = null, recurringId = null } = rows[0] ?? {}
  if (!audience) return null
  const conditions: RawBuilder<unknown>[] = []
  if (audience.date) conditions.push(await dateCondition(db, audience.date, memberTableId))
  if (audience.unless_sent) {
    const { since } = audience.unless_sent
    conditions.push(sql`not exists (
      select from campaign as earlier
      join delivery as got on got.client_id = earlier.client_id and got.campagne_id = earlier.campagne_id
      where earlier.client_id = ${clientId}::bigint and earlier.recurring_id = ${recurringId}::bigint
        and earlier.campagne_id <> ${campaignId}::bigint and earlier.member_table_id = ${memberTableId}::bigint
        and (${since}::timestamptz is null or earlier.started_at > ${since}::timestamptz)
        and got.member_id = m.member_id
        and (${mayHaveArrived('got')} or got.state in ('pending', 'claimed', 'deferred')))`)
  }
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

async function dateCondition(
  db: Db,
  { column, day, yearly, tz }: NonNullable<RunAudience['date']>,
  memberTableId: number,
): Promise<RawBuilder<unknown>> {
  const columns = (await readColumns(db, [memberTableId])).get(memberTableId) ?? []
  const found = columns.find(each => each.column_name === column)
  if (!found || !isDateType(found.data_type)) throw invalid([fieldError('date_column', 'field.date_column')])
  const value = sql.ref(`m.${column}`)
  const date = found.data_type === 'datetime' ? sql`(${value} at time zone ${tz})::date` : value
  return yearly ? isAnniversary(date, sql`${day}::date`) : sql`${date} = ${day}::date`
}
