import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Whether a host receives bounces: the return path of a sending domain, or the domain itself. */
export async function receivesReturns(db: Db, host: string): Promise<boolean> {
  const found = await sql`
    select from domain
    where (coalesce(return_path_host, 'bounce.' || name) = ${host} or name = ${host}) and deleted_at is null
    limit 1`.execute(db)
  return found.rows.length > 0
}

/** Tracking hosts of all sending domains. */
export async function listTrackingHosts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('domain')
    .select('tracking_host')
    .distinct()
    .where('deleted_at', 'is', null)
    .where('tracking_host', 'is not', null)
    .execute()
  return rows.flatMap(row => row.tracking_host ?? [])
}

/** Sending domains whose name, return path host or tracking host is this host name. */
export function findDomainsOfHost(
  db: Db,
  name: string,
): Promise<{ name: string; return_path_host: string | null }[]> {
  return db
    .selectFrom('domain')
    .select(['name', 'return_path_host'])
    .where('deleted_at', 'is', null)
    .where(where =>
      where.or([
        where('name', '=', name),
        where('return_path_host', '=', name),
        where('tracking_host', '=', name),
      ]),
    )
    .execute()
}

/** DMARC policy of a sending domain, `none` if it has not set one; undefined for an unknown domain. */
export async function findDmarcPolicy(db: Db, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('domain')
    .select('dmarc_policy')
    .where('name', '=', domain)
    .where('deleted_at', 'is', null)
    .orderBy('domain_id')
    .limit(1)
    .executeTakeFirst()
  return row && (row.dmarc_policy ?? 'none')
}

/**
 * Text of a DKIM record. Two tenants may share a domain, but only one key can be published for a selector: the newest
 * one counts.
 */
export async function findDkimText(db: Db, selector: string, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('dkim_key')
    .innerJoin('domain', join =>
      join
        .onRef('domain.client_id', '=', 'dkim_key.client_id')
        .onRef('domain.domain_id', '=', 'dkim_key.domain_id'),
    )
    .select('dkim_key.public_txt')
    .where('domain.name', '=', domain)
    .where('domain.deleted_at', 'is', null)
    .where('dkim_key.selector', '=', selector)
    .where('dkim_key.active', '=', true)
    .orderBy('dkim_key.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.public_txt
}
