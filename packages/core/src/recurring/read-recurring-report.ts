import type { readRecurringReport as contract, RecurringReportRow } from '@emma/contract/actions/recurring.ts'
import { reportFigures } from '@emma/contract/actions/reports.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Figures, readFigures } from '../reports/read-figures.ts'
import type { Page } from '../resource/operations.ts'
import { startedInPeriod } from './report-period.ts'

const figureNames = Object.keys(reportFigures) as (keyof typeof reportFigures)[]

/**
 * Recurring campaigns that ran in a period of the client's time zone, the last one first, each with the sums of its
 * runs' figures.
 */
export async function readRecurringReport(
  db: Db,
  clientId: number,
  { recurring_id, limit, offset, ...period }: z.output<typeof contract.query>,
  now = new Date(),
): Promise<Page<RecurringReportRow>> {
  const id = recurring_id ?? null
  const ran = sql`
    select r.recurring_id, r.name, r.active, r.last_run, array_agg(c.campagne_id) as "campaignIds",
      max(c.started_at) as latest
    from campaign c
    join recurring r on r.client_id = c.client_id and r.recurring_id = c.recurring_id
    join client on client.client_id = c.client_id
    where c.client_id = ${clientId} and c.deleted_at is null
      and (${id}::bigint is null or c.recurring_id = ${id}::bigint)
      and ${startedInPeriod(period, now)}
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
