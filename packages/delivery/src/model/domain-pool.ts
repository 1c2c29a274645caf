import type { Db } from '@emma/db/connection.ts'
import { organisationalDomain } from '@emma/mail/domain.ts'

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
  if (await isStrict(db, clientId, own)) return []
  const rows = await db
    .selectFrom('domain')
    .select(['domain_id', 'name', 'return_path_host', 'tracking_host', 'cname_ok'])
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .where('in_pool', '=', true)
    .where('status', '=', 'verified')
    .where('is_blocklisted', '=', false)
    .where('domain_id', '<>', own.id)
    .where(where =>
      where.exists(
        where
          .selectFrom('dkim_key')
          .select('selector')
          .whereRef('dkim_key.client_id', '=', 'domain.client_id')
          .whereRef('dkim_key.domain_id', '=', 'domain.domain_id')
          .where('active', '=', true),
      ),
    )
    .orderBy('domain_id')
    .limit(1000)
    .execute()
  const organisation = organisationalDomain(own.name)
  return rows
    .filter(({ name }) => organisation !== null && organisationalDomain(name) === organisation)
    .slice(0, MOST_POOL_DOMAINS - 1)
    .map(({ domain_id: id, name, return_path_host, tracking_host, cname_ok }) => ({
      domain: { id, name, returnPathHost: return_path_host ?? `bounce.${name}` },
      trackingBase: trackingBaseOf({
        trackingHost: cname_ok ? tracking_host : null,
        transport: mailclass.transport,
      }),
    }))
}

/** Whether the DMARC record of a domain demands equal domains in From and DKIM signature. */
async function isStrict(db: Db, clientId: number, { id }: PoolDomain['domain']): Promise<boolean> {
  const found = await db
    .selectFrom('domain')
    .select('dmarc_strict')
    .where('client_id', '=', clientId)
    .where('domain_id', '=', id)
    .executeTakeFirst()
  return found?.dmarc_strict ?? false
}
