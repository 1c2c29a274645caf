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

/**
 * Users of a client who may approve its campaigns, without those who asked or changed it last. If there is none, the
 * superadmins, who may approve those of every client.
 */
export async function findApprovers(
  db: Db,
  clientId: number,
  excluded: readonly (number | null)[],
): Promise<Approver[]> {
  const { rows } = await sql<Approver>`
    with approver as (
      select u.id, u.firstname, u.lastname, u.username, uc.user_id is not null as is_member
      from app_user u
      left join user_client uc on uc.user_id = u.id and uc.client_id = ${clientId}
      where u.active and u.deleted_at is null
        and u.id <> all(${excluded.filter(id => id !== null)}::bigint[])
        and (u.superadmin or uc.user_id is not null and exists (
          select from user_role ur join role r on r.id = ur.role_id
          where ur.user_id = u.id and r.deleted_at is null and ${approvePermission} = any(r.permissions)))
    )
    select id, coalesce(nullif(trim(concat(firstname, ' ', lastname)), ''), username) as name
    from approver
    where is_member or not exists (select from approver where is_member)
    order by lastname, firstname, id limit ${MOST_APPROVERS}`.execute(db)
  return rows
}
