import type { Db } from '@emma/db/connection.ts'
import { type DkimKey, loadDkimKey } from '@emma/mail/dkim/dkim-key.ts'

/**
 * Reads, decrypts and parses the DKIM keys of a domain. Cache them: parsing costs as much as a signature.
 * @param openSecret decrypts a stored secret
 * @throws DkimKeyError, or the cipher's error if the installation's secret has changed
 */
export async function loadDkimKeys(
  db: Db,
  clientId: number,
  domain: { id: number; name: string },
  openSecret: (sealed: Buffer) => string,
): Promise<DkimKey[]> {
  const rows = await db
    .selectFrom('dkim_key')
    .select(['selector', 'private_key'])
    .where('client_id', '=', clientId)
    .where('domain_id', '=', domain.id)
    .where('active', '=', true)
    .orderBy('algorithm')
    .execute()
  return rows.map(({ selector, private_key }) =>
    loadDkimKey({ domain: domain.name, selector, privatePem: openSecret(private_key) }),
  )
}
