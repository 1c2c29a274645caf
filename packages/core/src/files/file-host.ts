import type { Db } from '@emma/db/connection.ts'

/**
 * Base of the public URLs of a client's files: the tracking host of its first verified domain, otherwise the
 * installation's tracking URL; also for names under `.test` (RFC 6761), which only the testbed resolves.
 */
export async function fileBaseOf(db: Db, clientId: number, trackingUrl: string): Promise<string> {
  const domain = await db
    .selectFrom('domain')
    .select('tracking_host')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .where('cname_ok', '=', true)
    .where('tracking_host', 'is not', null)
    .where('tracking_host', 'not like', '%.test')
    .orderBy('domain_id')
    .limit(1)
    .executeTakeFirst()
  return domain?.tracking_host ? `https://${domain.tracking_host}` : trackingUrl
}

/** Whether there is such a client: superadmins may name any number. */
export async function clientExists(db: Db, clientId: number): Promise<boolean> {
  const client = await db
    .selectFrom('client')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return client !== undefined
}
