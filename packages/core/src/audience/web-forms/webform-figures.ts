import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Figures of a form: views and starts are counted as they happen, the others from the submissions. */
export interface WebformFigures {
  views: number
  starts: number
  submissions: number
  confirmed: number
}

/** Figures of the last 30 days by form. Forms without any are missing. */
export async function recentFigures(
  db: Db,
  clientIds: readonly number[],
  webformIds: readonly number[],
): Promise<Map<number, WebformFigures>> {
  const isTheirs = sql`client_id = any(${clientIds}::bigint[]) and webform_id = any(${webformIds}::bigint[])`
  const { rows } = await sql<WebformFigures & { webform_id: number }>`
    select webform_id, sum(views)::bigint as views, sum(starts)::bigint as starts,
      sum(submissions)::bigint as submissions, sum(confirmed)::bigint as confirmed
    from (
      select webform_id, views, starts, 0 as submissions, 0 as confirmed from webform_day
      where ${isTheirs} and day > (now() at time zone 'UTC')::date - 30
      union all
      select webform_id, 0, 0, 1, (state in ('subscribed', 'confirmed'))::int from webform_submission
      where ${isTheirs} and created_at > now() - interval '30 days'
    ) as counted
    group by webform_id`.execute(db)
  return new Map(rows.map(({ webform_id, ...figures }) => [webform_id, figures]))
}

/** Figures by day (UTC) of a form, oldest first. Days without any are missing. */
export async function dailyFigures(
  db: Db,
  { client_id, webform_id }: { client_id: number; webform_id: number },
  days: number,
): Promise<(WebformFigures & { day: string })[]> {
  const { rows } = await sql<WebformFigures & { day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day, sum(views)::bigint as views, sum(starts)::bigint as starts,
      sum(submissions)::bigint as submissions, sum(confirmed)::bigint as confirmed
    from (
      select day, views, starts, 0 as submissions, 0 as confirmed from webform_day
      where client_id = ${client_id} and webform_id = ${webform_id}
      union all
      select (created_at at time zone 'UTC')::date, 0, 0, 1, (state in ('subscribed', 'confirmed'))::int
      from webform_submission where client_id = ${client_id} and webform_id = ${webform_id}
    ) as counted
    where day > (now() at time zone 'UTC')::date - ${days}::int
    group by day order by day`.execute(db)
  return rows
}

/** Counts a view, or that somebody began to fill in the form; without anything about the visitor. */
export async function countVisit(
  db: Db,
  { client_id, webform_id }: { client_id: number; webform_id: number },
  kind: 'views' | 'starts',
): Promise<void> {
  const column = sql.ref(kind)
  await sql`
    insert into webform_day as d (client_id, webform_id, day, ${column})
    values (${client_id}, ${webform_id}, (now() at time zone 'UTC')::date, 1)
    on conflict (client_id, webform_id, day) do update set ${column} = d.${column} + 1`.execute(db)
}
