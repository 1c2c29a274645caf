import type { Db } from '@emma/db/connection.ts'
import { addressDomain } from '@emma/mail/address.ts'

/** RSA key of the verified sending domain that an address belongs to. */
export function findSigningKey(
  db: Db,
  from: string,
): Promise<{ name: string; selector: string; private_key: Buffer } | undefined> {
  return db
    .selectFrom('dkim_key as k')
    .innerJoin('domain as d', join =>
      join.onRef('d.client_id', '=', 'k.client_id').onRef('d.domain_id', '=', 'k.domain_id'),
    )
    .select(['d.name', 'k.selector', 'k.private_key'])
    .where('d.name', '=', addressDomain(from))
    .where('d.status', '=', 'verified')
    .where('d.deleted_at', 'is', null)
    .where('k.algorithm', '=', 'rsa')
    .where('k.active', '=', true)
    .orderBy('k.domain_id')
    .orderBy('k.selector')
    .limit(1)
    .executeTakeFirst()
}
