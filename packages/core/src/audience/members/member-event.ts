import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Datasource, membersTable } from '../datasources/datasource.ts'

interface MemberEvent {
  type: 'join' | 'edit'
  source: string
  [detail: string]: unknown
}

/** Appends a user's action on a member to the event log. */
export async function logMemberEvent(
  tx: Db,
  source: Pick<Datasource, 'client_id' | 'member_table_id'>,
  memberId: number,
  { type, source: origin, ...details }: MemberEvent,
): Promise<void> {
  await sql`
    insert into event (client_id, type, member_table_id, member_id, email, source, details)
    select m.client_id, ${type}::event_type, ${source.member_table_id}, m.member_id, m.email, ${origin},
      ${JSON.stringify(details)}::jsonb
    from ${membersTable(source.member_table_id)} as m
    where m.client_id = ${source.client_id} and m.member_id = ${memberId}`.execute(tx)
}
