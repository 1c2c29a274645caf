import type { Db } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'

/**
 * Type of the notification that empties the caches of every server (http/response-cache.ts). The triggers of
 * 0008-api.sql send it as well.
 */
export const CACHES_CHANGED = 'KEPT_CHANGED'

/**
 * Notifies every server, on commit, that permissions, clients or columns of datasources changed. Call it after writing
 * client, user_client, user_settings, member_table (name, doi_required, deleted_at) or member_table_column
 * (cache-writers.test.ts); triggers do it for app_user, role, user_role and session.
 */
export function tellCaches(tx: Db): Promise<void> {
  return publish(tx, { client_id: null, type: CACHES_CHANGED, data: null })
}
