import { EmmaError } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { membersTable } from '../datasources/datasource.ts'

/** Values by column, for personalised content. */
type MemberRow = Record<string, unknown>

/** All columns of a member; undefined when the member does not exist. */
export async function readMemberRow(
  db: Db,
  clientId: number,
  memberTableId: number,
  memberId: number,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select * from ${membersTable(memberTableId)}
    where client_id = ${clientId} and member_id = ${memberId}`.execute(db)
  return rows[0]
}

/**
 * A member of the given datasource of the client, or of any.
 * @throws EmmaError `not_found`
 */
export async function findMemberRow(
  db: Db,
  clientId: number,
  memberId: number,
  memberTableId?: number,
): Promise<MemberRow> {
  const tables = await db
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .$if(memberTableId !== undefined, query => query.where('member_table_id', '=', memberTableId ?? 0))
    .execute()
  for (const { member_table_id } of tables) {
    const member = await readMemberRow(db, clientId, member_table_id, memberId)
    if (member) return member
  }
  throw new EmmaError('not_found', fault('refusal.no_member'))
}
