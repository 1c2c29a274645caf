import type { Db } from '@emma/db/connection.ts'
import type { ProviderLimit } from './route-limits.ts'

/** Mailbox providers that have limits for the whole installation. */
export function readProviderLimits(db: Db): Promise<ProviderLimit[]> {
  return db
    .selectFrom('provider')
    .select(['provider_id', 'max_connections', 'max_per_hour'])
    .where('deleted_at', 'is', null)
    .where(build => build.or([build('max_connections', '>', 0), build('max_per_hour', '>', 0)]))
    .execute()
}
