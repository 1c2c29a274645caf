import type { Db } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'

/** The push that empties the caches of every server (http/response-cache.ts); the triggers of 0008-api.sql send it as well. */
export const CACHES_CHANGED = 'KEPT_CHANGED'

/**
 * Tells every server, when the transaction commits, that rights, clients or columns of datasources have changed. Whoever
 * writes client, user_client, user_settings, member_table (name, doi_required, deleted_at) or member_table_column calls it
 * (cache-writers.test.ts); triggers tell of app_user, role, user_role and session.
 */
export function tellCaches(tx: Db): Promise<void> {
  return publish(tx, { client_id: null, type: CACHES_CHANGED, data: null })
}
