import type { Db } from '@emma/db/connection.ts'
import { type DkimKey, loadDkimKey } from '@emma/mail/dkim/dkim-key.ts'

/**
 * The keys a domain signs with, opened and parsed: hold them, parsing one costs as much as a signature.
 *
 * @param openSecret opens what is kept sealed
 * @throws DkimKeyError, or the cipher's error when the installation's secret is another
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
