import type { DashboardView } from '@emma/contract/dashboard-views.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { everyDay, since, type ViewFilter } from './view-filter.ts'

type Row<T extends { rows: readonly unknown[] }> = T['rows'][number]

interface Datasource {
  member_table_id: number
  name: string
  doi_required: boolean
  active: number
  total: number
  pending: number
}

async function datasources(db: Db, { clientId, memberTableId }: ViewFilter): Promise<Datasource[]> {
  const { rows } = await sql<Datasource>`
    select member_table_id, name, doi_required, stats_active as active, stats_total as total, stats_pending as pending
    from member_table
    where client_id = ${clientId} and deleted_at is null
      and (${memberTableId ?? null}::bigint is null or member_table_id = ${memberTableId ?? null}::bigint)
    order by stats_total desc limit 50`.execute(db)
  return rows
}

/** Subscribes and unsubscribes by day, over all datasources or the chosen one. */
export async function readSubscribers(db: Db, filter: ViewFilter): Promise<DashboardView<'subscribers'>> {
  const tables = await datasources(db, filter)
  const days = new Map<string, { joined: number; left: number }>()
  for (const { member_table_id: id } of tables) {
    const { rows } = await sql<{ day: string; joined: number; left: number }>`
      select to_char(day, 'YYYY-MM-DD') as day, sum(joined) as joined, sum("left") as left from (
        select datejoin::date as day, count(*) as joined, 0 as "left" from ${sql.table(`members.t${id}`)}
        where client_id = ${filter.clientId} and datejoin >= ${since(filter.days)} group by 1
        union all
        select dateunjoin::date, 0, count(*) from ${sql.table(`members.t${id}`)}
        where client_id = ${filter.clientId} and dateunjoin >= ${since(filter.days)} group by 1
      ) as moves group by 1`.execute(db)
    for (const { day, joined, left } of rows) {
      const before = days.get(day) ?? { joined: 0, left: 0 }
      days.set(day, { joined: before.joined + joined, left: before.left + left })
    }
  }
  const { rows: calendar } = await sql<{ day: string }>`
    select to_char(d.day, 'YYYY-MM-DD') as day from ${everyDay(filter.days)} order by d.day`.execute(db)
  return {
    active: tables.reduce((sum, { active }) => sum + active, 0),
    total: tables.reduce((sum, { total }) => sum + total, 0),
    days: calendar.map(({ day }) => ({ day, ...(days.get(day) ?? { joined: 0, left: 0 }) })),
  }
}

/** Members with a pending double opt-in, by datasource. */
export async function readDoi(db: Db, filter: ViewFilter): Promise<DashboardView<'doi'>> {
  const tables = await datasources(db, filter)
  return {
    rows: tables
      .filter(({ doi_required, pending }) => doi_required || pending > 0)
      .map(({ member_table_id, name, pending, active }) => ({ member_table_id, name, pending, active })),
  }
}

export async function readDomains(db: Db, { clientId }: ViewFilter): Promise<DashboardView<'domains'>> {
  const { rows } = await sql<Row<DashboardView<'domains'>>>`
    select domain_id, name, status, spf_ok, dkim_ok, dmarc_ok, mx_ok, is_blocklisted, last_check from domain
    where client_id = ${clientId} and deleted_at is null
    order by is_blocklisted desc, status = 'verified', name limit 20`.execute(db)
  return { rows }
}

export async function readImports(
  db: Db,
  { clientId, memberTableId }: ViewFilter,
): Promise<DashboardView<'imports'>> {
  const { rows } = await sql<Row<DashboardView<'imports'>>>`
    select id, filename, status, "rows", rows_read, rows_ok, created_at from data_upload
    where client_id = ${clientId} and deleted_at is null and not test
      and (${memberTableId ?? null}::bigint is null or member_table_id = ${memberTableId ?? null}::bigint)
    order by id desc limit 8`.execute(db)
  return { rows }
}

/**
 * Current messages of the day for the whole client. A dashboard has no roles, so messages for some roles are left out.
 */
export async function readMotds(db: Db, { clientId }: ViewFilter): Promise<DashboardView<'motd'>> {
  const { rows } = await sql<Row<DashboardView<'motd'>>>`
    select id, title_en, title_de, title_es, type, startdate from motd
    where deleted_at is null and startdate <= now() and (enddate is null or enddate > now())
      and (clients = '{}' or ${clientId}::bigint = any(clients)) and roles = '{}'
    order by startdate desc, id desc limit 20`.execute(db)
  return { rows }
}
