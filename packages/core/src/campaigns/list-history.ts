import type { campaignHistory } from '@emma/contract/actions/campaigns.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { campaignOperations } from './campaign-operations.ts'

type Change = Answer<typeof campaignHistory>['data'][number]

/** Audit log of a campaign, its message and its segment, newest first, 200 at most (R173, c-m-u-history). */
export async function listHistory(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
): Promise<Change[]> {
  const campaign = await campaignOperations.find(db, actor, scope, campaignId)
  const found = await sql<Change>`
    select h.id, h.ts, h.user_id, trim(concat(u.firstname, ' ', u.lastname)) as user, h.object, h.object_id, h.action,
      h.changes
    from change_log h left join app_user u on u.id = h.user_id
    where h.client_id = ${campaign.client_id} and (
      (h.object = 'campaign' and h.object_id = ${campaignId})
      or (h.object = 'message' and h.object_id = ${campaign.message_id})
      or (h.object = 'list' and h.object_id = ${campaign.list_id}))
    order by h.id desc limit 200`.execute(db)
  return found.rows
}
