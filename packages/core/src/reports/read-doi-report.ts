import type { doiReport as contract } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Page } from '../resource/operations.ts'
import { isSent } from './counted.ts'

type Row = Answer<typeof contract>['data'][number]

/**
 * R177: confirmation requests of a client's members by day of the request, source or form. Sent: an email of the request
 * has a final reply. Expired: not confirmed in time, nor by a later request of the member.
 */
export async function readDoiReport(
  db: Db,
  clientId: number,
  query: z.output<typeof contract.query>,
): Promise<Page<Row>> {
  const { start_date, end_date, member_table_id, form_id, group, limit, offset } = query
  const grouped = groups[group]
  const timezone = await timezoneOf(db, clientId)
  const { rows } = await sql<Row & { total: number }>`
    with chosen as (
      select wall_clock(r.requested_at, ${timezone})::date as day, r.source, r.form_id, r.confirmed_at,
        r.confirmed_at is null and r.closed_at is null and r.expires_at <= now() as is_expired,
        exists (
          select from process_mail as p
          join delivery as d on d.client_id = p.client_id and d.campagne_id = p.campagne_id and d.member_id = p.member_id
          where p.client_id = r.client_id and p.doi_request_id = r.doi_request_id and ${isSent('d')}) as is_sent
      from doi_request as r
      where r.client_id = ${clientId} and r.purpose = 'subscription'
        and r.requested_at >= from_wall_clock(
          coalesce(${start_date ?? null}::date, wall_clock(now(), ${timezone})::date - 29)::timestamp, ${timezone})
        and r.requested_at < from_wall_clock(
          (coalesce(${end_date ?? null}::date, wall_clock(now(), ${timezone})::date) + 1)::timestamp, ${timezone})
        and (${member_table_id ?? null}::bigint is null or r.member_table_id = ${member_table_id ?? null}::bigint)
        and (${form_id ?? null}::bigint is null or r.form_id = ${form_id ?? null}::bigint)
    )
    select ${grouped.columns}, count(*) as requested, count(*) filter (where is_sent) as sent,
      count(confirmed_at) as confirmed, count(*) filter (where is_expired) as expired,
      coalesce(round(count(confirmed_at)::numeric / nullif(count(*) filter (where is_sent), 0), 4), 0)::float8 as rate,
      count(*) over () as total
    from chosen
    group by ${grouped.by} order by ${grouped.order} limit ${limit} offset ${offset}`.execute(db)
  return {
    data: rows.map(({ total: _, ...row }) => row),
    included: [],
    total: rows[0]?.total ?? 0,
  }
}

async function timezoneOf(db: Db, clientId: number): Promise<string> {
  const client = await db
    .selectFrom('client')
    .select('timezone')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (!client) throw new EmmaError('not_found')
  return client.timezone
}

const groups = {
  date: {
    columns: sql`to_char(day, 'YYYY-MM-DD') as date, null as source, null::bigint as form_id`,
    by: sql`day`,
    order: sql`day desc`,
  },
  source: {
    columns: sql`null as date, source, null::bigint as form_id`,
    by: sql`source`,
    order: sql`count(*) desc, source`,
  },
  form: {
    columns: sql`null as date, null as source, form_id`,
    by: sql`form_id`,
    order: sql`count(*) desc, form_id`,
  },
}
