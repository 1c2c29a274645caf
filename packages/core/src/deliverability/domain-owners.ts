import type { Row } from '@emma/contract/resource-schemas.ts'
import type { domain as resource } from '@emma/contract/resources/domain.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { isAligned } from './sender-rule.ts'

/** Serializes verifications until the end of the transaction: a name is verified for one client at a time. */
export async function lockVerification(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('emma domain verification'))`.execute(db)
}

/** Verified domains of other clients with the name of this domain, or above its return path or tracking host. */
export async function findOwners(
  db: Db,
  domain: Pick<Row<typeof resource>, 'client_id' | 'name' | 'return_path_host' | 'tracking_host'>,
): Promise<{ client_id: number; domain_id: number }[]> {
  const { name } = domain
  const hosts = [domain.return_path_host, domain.tracking_host]
    .filter(host => host !== null)
    .filter(host => !isAligned(host, name))
  const { rows } = await sql<{ client_id: number; domain_id: number }>`
    select client_id, domain_id from domain as d
    where client_id <> ${domain.client_id} and status = 'verified' and deleted_at is null
      and (name = ${name} or exists (
        select from unnest(${hosts}::text[]) as host where host = d.name or host like '%.' || d.name))`.execute(
    db,
  )
  return rows
}
