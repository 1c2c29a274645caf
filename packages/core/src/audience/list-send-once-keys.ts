import { MOST_SEND_ONCE_KEYS, type SendOnceKeyUse } from '@emma/contract/actions/campaigns.ts'
import type { Db } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { sql } from 'kysely'

/**
 * Send-once keys of a client that contain `search` (null: all), the last used ones first. Keys of deleted campaigns are
 * listed if they were sent, because what was sent still counts (send-once.ts).
 */
export async function listSendOnceKeys(
  db: Db,
  clientId: number,
  search: string | null,
): Promise<SendOnceKeyUse[]> {
  const pattern = search === null ? null : likePattern(search)
  const { rows } = await sql<SendOnceKeyUse>`
    with used as (
      select send_once_key as key, 1 as campaigns, coalesce(started_at, created_at) as used_at
      from campaign
      where client_id = ${clientId} and send_once_key is not null and (deleted_at is null or started_at is not null)
      union all
      select send_once_key, 0, created_at
      from recurring
      where client_id = ${clientId} and send_once_key is not null and deleted_at is null
    )
    select key, sum(campaigns) as campaigns, max(used_at) as last_used_at
    from used
    where ${pattern}::text is null or key ilike ${pattern}::text
    group by key order by last_used_at desc, key limit ${MOST_SEND_ONCE_KEYS}`.execute(db)
  return rows
}
