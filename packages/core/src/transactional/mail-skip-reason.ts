import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { addressKeyOf } from '../audience/address.ts'
import { internallySuppressed } from '../audience/blacklists/suppression.ts'
import { membersTable } from '../audience/datasources/datasource.ts'

/**
 * SQL expression: the `skip_reason` by which a transactional email (m) is not sent now, or NULL: the internal suppression
 * list, and hard bounces of its address, whether as a member or not. Unsubscribes do not count, and an email that is sent
 * again on purpose ignores bounces.
 */
export async function mailSkipReason(db: Db, clientId: number): Promise<RawBuilder<unknown>> {
  const tables = await db
    .selectFrom('member_table')
    .select('member_table_id')
    .where('client_id', '=', clientId)
    .where('deleted_at', 'is', null)
    .execute()
  const address = addressKeyOf(sql.ref('m.email'))
  const bounces = [
    sql`select from bounced_address as b where b.client_id = ${clientId}::bigint and b.address = ${address}`,
    ...tables.map(
      ({ member_table_id: id }) => sql`
        select from ${membersTable(id)} as bounced where bounced.client_id = ${clientId}::bigint
          and lower(bounced.email) = ${address} and bounced.hardbounced_at is not null`,
    ),
  ]
  const hasBounced = sql.join(
    bounces.map(rows => sql`exists (${rows})`),
    sql` or `,
  )
  return sql`coalesce(${await internallySuppressed(db, clientId, sql.ref('m.email'))},
    case when not m.is_retry and (${hasBounced}) then 'hardbounce'::skip_reason end)`
}
