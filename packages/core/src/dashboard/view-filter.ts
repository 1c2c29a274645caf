import type { WidgetOptions } from '@emma/contract/resources/dashboard.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { isOfMember } from '../reports/counted.ts'
import { isInGroup } from '../reports/is-in-group.ts'

/** Scope of a widget's figures. */
export interface ViewFilter {
  clientId: number
  days: number
  memberTableId: number | undefined
  /** The chosen campaigns. Undefined: all, including deleted ones, as their mails were sent. */
  campaignIds: readonly number[] | undefined
}

/** Resolves a widget's settings to a filter. Of the chosen campaigns it uses the 1000 started last. */
export async function readViewFilter(db: Db, clientId: number, options: WidgetOptions): Promise<ViewFilter> {
  const { days = 30, member_table_id, list_id, campagne_id, reportinggroup_id } = options
  const chosen: RawBuilder<unknown>[] = []
  if (campagne_id !== undefined) chosen.push(sql`c.campagne_id = ${campagne_id}`)
  if (list_id !== undefined) chosen.push(sql`c.list_id = ${list_id}`)
  if (member_table_id !== undefined) chosen.push(sql`c.member_table_id = ${member_table_id}`)
  if (reportinggroup_id !== undefined)
    chosen.push(sql`exists (
      select from reporting_group g
      where g.client_id = c.client_id and g.reportinggroup_id = ${reportinggroup_id} and g.deleted_at is null
        and ${isInGroup('c', 'g')})`)
  if (chosen.length === 0) return { clientId, days, memberTableId: member_table_id, campaignIds: undefined }
  const { rows } = await sql<{ campagne_id: number }>`
    select c.campagne_id from campaign c
    where c.client_id = ${clientId} and c.started_at is not null and c.deleted_at is null
      and ${sql.join(chosen, sql` and `)}
    order by c.started_at desc limit 1000`.execute(db)
  return {
    clientId,
    days,
    memberTableId: member_table_id,
    campaignIds: rows.map(row => row.campagne_id),
  }
}

/** Start of the period of `days`, of which today is the last. */
export function since(days: number): RawBuilder<unknown> {
  return sql`(current_date - ${days - 1}::int)`
}

/** One row (`day`) for each day of the period, for joining figures to. */
export function everyDay(days: number): RawBuilder<unknown> {
  return sql`generate_series(${since(days)}, current_date, interval '1 day') as d (day)`
}

export function eventsOf({ clientId, days, campaignIds }: ViewFilter): RawBuilder<unknown> {
  const chosen = campaignIds ? sql`and e.campagne_id = any(${campaignIds}::bigint[])` : sql``
  return sql`event e where e.client_id = ${clientId} and e.ts >= ${since(days)} and ${isOfMember('e')} ${chosen}`
}

/** Deliveries of the chosen campaigns to members; seeds and proof copies are excluded, as in the reports. */
export function deliveriesOf({ clientId, days, campaignIds }: ViewFilter): RawBuilder<unknown> {
  // Only campaigns that were not finished before the period can have sent in it; the others' ledgers are not read.
  const atWork = sql`array(
    select c.campagne_id from campaign c
    where c.client_id = ${clientId} and c.started_at is not null
      and (c.finished_at is null or c.finished_at >= ${since(days)}))`
  const campaigns = campaignIds ? sql`${campaignIds}::bigint[]` : atWork
  return sql`delivery l where l.client_id = ${clientId} and l.campagne_id = any(${campaigns}) and ${isOfMember('l')}`
}
