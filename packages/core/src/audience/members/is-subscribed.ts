import { type RawBuilder, sql } from 'kysely'
import type { Datasource } from '../datasources/datasource.ts'

/** Whether a member (alias m) is subscribed, including pending state. */
export function isSubscribed({ member_table_id }: Pick<Datasource, 'member_table_id'>): RawBuilder<boolean> {
  return sql`(m.dateunjoin is null and not exists (
    select from member_pending_state as p
    where p.client_id = m.client_id and p.member_table_id = ${member_table_id}::bigint
      and p.member_id = m.member_id and p.unsubscribed_at is not null))`
}
