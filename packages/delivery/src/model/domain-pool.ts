import { poolFault } from '@emma/core/deliverability/pool-fault.ts'
import type { Db } from '@emma/db/connection.ts'
import { isSameOrganisation } from '@emma/mail/domain.ts'
import { sql } from 'kysely'

/** A domain with what messages from it contain. */
export interface PoolDomain {
  domain: { id: number; name: string; returnPathHost: string }
  /** Scheme and host of all public URLs. */
  trackingBase: string
}

/** Domains of a campaign at most, with its own. */
export const MOST_POOL_DOMAINS = 10

/**
 * Reads the further domains that a campaign rotates over: verified ones in the client's pool below the same
 * organizational domain as its own, so that DKIM and SPF stay aligned with From (RFC 7489, 3.1). None if the campaign's
 * domain asks for strict alignment.
 */
export async function readDomainPool(
  db: Db,
  clientId: number,
  { domain: own, mailclass }: { domain: PoolDomain['domain']; mailclass: { transport: string } },
  trackingBaseOf: (domain: { trackingHost: string | null; transport: string }) => string,
): Promise<PoolDomain[]> {
  const { rows } = await sql<PoolRow>`
    select d.domain_id, d.name, d.return_path_host, d.tracking_host, d.cname_ok
    from domain d join domain own on own.client_id = d.client_id and own.domain_id = ${own.id}
    where d.client_id = ${clientId} and d.domain_id <> ${own.id} and ${poolFault('d', 'own')} is null
    order by d.domain_id
    limit 1000`.execute(db)
  return rows
    .filter(({ name }) => isSameOrganisation(own.name, name))
    .slice(0, MOST_POOL_DOMAINS - 1)
    .map(({ domain_id: id, name, return_path_host, tracking_host, cname_ok }) => ({
      domain: { id, name, returnPathHost: return_path_host ?? `bounce.${name}` },
      trackingBase: trackingBaseOf({
        trackingHost: cname_ok ? tracking_host : null,
        transport: mailclass.transport,
      }),
    }))
}

interface PoolRow {
  domain_id: number
  name: string
  return_path_host: string | null
  tracking_host: string | null
  cname_ok: boolean | null
}
