import type { readRecurringReport as contract, RecurringReportRow } from '@emma/contract/actions/recurring.ts'
import { reportFigures } from '@emma/contract/actions/reports.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Figures, readFigures } from '../reports/read-figures.ts'
import type { Page } from '../resource/operations.ts'

const DAY_MS = 86_400_000
const EARLIEST_ZONE_MS = 14 * 3_600_000
const DEFAULT_DAYS = 90
const MOST_DAYS = 366

const figureNames = Object.keys(reportFigures) as (keyof typeof reportFigures)[]

/**
 * Recurring campaigns that ran in a period of the client's time zone, the last one first, each with the sums of its
 * runs' figures.
 */
export async function readRecurringReport(
  db: Db,
  clientId: number,
  { recurring_id, limit, offset, start_date, end_date }: z.output<typeof contract.query>,
  now = new Date(),
): Promise<Page<RecurringReportRow>> {
  const id = recurring_id ?? null
  // The day may have begun already in the client's time zone.
  const end = end_date ?? dayOf(now.getTime() + EARLIEST_ZONE_MS)
  const start = start_date ?? dayOf(Date.parse(end) - (DEFAULT_DAYS - 1) * DAY_MS)
  if (Date.parse(end) - Date.parse(start) > MOST_DAYS * DAY_MS)
    throw invalid([fieldError('start_date', 'field.days', { min: 1, max: MOST_DAYS })])
  const ran = sql`
    select r.recurring_id, r.name, r.active, r.last_run, array_agg(c.campagne_id) as "campaignIds",
      max(c.started_at) as latest
    from campaign c
    join recurring r on r.client_id = c.client_id and r.recurring_id = c.recurring_id
    join client on client.client_id = c.client_id
    where c.client_id = ${clientId} and c.deleted_at is null
      and (${id}::bigint is null or c.recurring_id = ${id}::bigint)
      and c.started_at >= ${start}::date::timestamp at time zone client.timezone
      and c.started_at < (${end}::date + 1)::timestamp at time zone client.timezone
    group by r.client_id, r.recurring_id`
  const counted = await sql<{ total: number }>`select count(*) as total from (${ran}) as ran`.execute(db)
  const { rows } = await sql<Ran>`
    ${ran} order by latest desc, r.recurring_id limit ${limit} offset ${offset}`.execute(db)
  const figures = await readFigures(
    db,
    clientId,
    rows.flatMap(row => row.campaignIds),
  )
  const byCampaign = new Map(figures.map(each => [each.campagne_id, each]))
  const data = rows.map(({ campaignIds, recurring_id: key, name, active, last_run }) => ({
    recurring_id: key,
    name,
    active,
    runs: campaignIds.length,
    last_run,
    ...sumOf(campaignIds.flatMap(campaignId => byCampaign.get(campaignId) ?? [])),
  }))
  return { data, included: [], total: counted.rows[0]?.total ?? 0 }
}

type Ran = Pick<RecurringReportRow, 'recurring_id' | 'name' | 'active' | 'last_run'> & {
  campaignIds: number[]
}

function sumOf(figures: readonly Figures[]): Record<(typeof figureNames)[number], number> {
  return Object.fromEntries(
    figureNames.map(name => [name, figures.reduce((sum, each) => sum + each[name], 0)]),
  ) as Record<(typeof figureNames)[number], number>
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
