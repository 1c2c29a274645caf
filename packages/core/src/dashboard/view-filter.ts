import type { WidgetOptions } from '@emma/contract/resources/dashboard.ts'
import type { Sql } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'

/** What a widget's figures are of. */
export interface ViewFilter {
  clientId: number
  days: number
  memberTableId: number | undefined
  /** The campaigns looked at: those chosen, or all that were at work in the time. */
  campaignIds: readonly number[]
  /** Whether campaigns were chosen: events of all others count as well where none were. */
  isChosen: boolean
}

/** Campaigns of the client that a widget's settings mean. */
export async function readViewFilter(
  sql: Sql,
  clientId: number,
  options: WidgetOptions,
): Promise<ViewFilter> {
  const { days = 30, member_table_id, list_id, campagne_id, reportinggroup_id } = options
  const chosen: RawBuilder<unknown>[] = []
  if (campagne_id !== undefined) chosen.push(raw`c.campagne_id = ${campagne_id}`)
  if (list_id !== undefined) chosen.push(raw`c.list_id = ${list_id}`)
  if (member_table_id !== undefined) chosen.push(raw`c.member_table_id = ${member_table_id}`)
  if (reportinggroup_id !== undefined)
    chosen.push(raw`c.campagne_id = any(coalesce((
      select g.campaign_ids from reporting_group g
      where g.client_id = ${clientId} and g.reportinggroup_id = ${reportinggroup_id} and g.deleted_at is null), '{}'))`)
  const isChosen = chosen.length > 0
  // A campaign at rest has no mails of these days: its ledger need not be read.
  const atWork = raw`(c.finished_at is null or c.finished_at >= ${since(days)})`
  const { rows } = await raw<{ campagne_id: number }>`
    select c.campagne_id from campaign c
    where c.client_id = ${clientId} and c.started_at is not null and c.deleted_at is null
      and ${raw.join(isChosen ? chosen : [atWork], raw` and `)}
    order by c.started_at desc limit 1000`.execute(sql)
  return {
    clientId,
    days,
    memberTableId: member_table_id,
    campaignIds: rows.map(row => row.campagne_id),
    isChosen,
  }
}

/** The first instant of the days looked at; today is the last of them. */
export function since(days: number): RawBuilder<unknown> {
  return raw`(current_date - ${days - 1}::int)`
}

/** One row a day (`day`), whatever happened. */
export function everyDay(days: number): RawBuilder<unknown> {
  return raw`generate_series(${since(days)}, current_date, interval '1 day') as d (day)`
}

export function eventsOf({ clientId, days, campaignIds, isChosen }: ViewFilter): RawBuilder<unknown> {
  const chosen = isChosen ? raw`and e.campagne_id = any(${campaignIds}::bigint[])` : raw``
  return raw`event e where e.client_id = ${clientId} and e.ts >= ${since(days)} ${chosen}`
}

/** The ledger's rows of the campaigns, test addresses aside. */
export function deliveriesOf({ clientId, campaignIds }: ViewFilter): RawBuilder<unknown> {
  return raw`delivery l where l.client_id = ${clientId} and l.campagne_id = any(${campaignIds}::bigint[])`
}
