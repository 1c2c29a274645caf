import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { membersTable } from '../datasources/datasource.ts'

/** All columns of a member, for personalised content; undefined when the member does not exist. */
export async function readMemberRow(
  db: Db,
  clientId: number,
  memberTableId: number,
  memberId: number,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${membersTable(memberTableId)}
    where client_id = ${clientId} and member_id = ${memberId}`.execute(db)
  return rows[0]
}
