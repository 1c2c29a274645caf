import { MOST_APPROVERS } from '@emma/contract/approval.ts'
import type { Permission } from '@emma/contract/permissions.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

export interface Approver {
  id: number
  name: string
}

/** Permission to approve, on the client of the campaign. */
export const approvePermission: Permission = 'EmmaCampaign:patch'

/** Users of a client who may approve its campaigns, without those who asked or changed it last. */
export async function findApprovers(
  db: Db,
  clientId: number,
  excluded: readonly (number | null)[],
): Promise<Approver[]> {
  const { rows } = await sql<Approver>`
    select u.id, coalesce(nullif(trim(concat(u.firstname, ' ', u.lastname)), ''), u.username) as name
    from app_user u
    join user_client uc on uc.user_id = u.id and uc.client_id = ${clientId}
    where u.active and u.deleted_at is null
      and u.id <> all(${excluded.filter(id => id !== null)}::bigint[])
      and (u.superadmin or exists (
        select from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = u.id and r.deleted_at is null and ${approvePermission} = any(r.permissions)))
    order by u.lastname, u.firstname, u.id limit ${MOST_APPROVERS}`.execute(db)
  return rows
}
