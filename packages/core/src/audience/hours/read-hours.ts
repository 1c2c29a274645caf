import type { Db } from '@emma/db/connection.ts'
import type { Datasource } from '../datasources/datasource.ts'

/** What is stored about the hours at which a member opens and clicks: 24 weights from midnight on; null if nothing is. */
export async function readHours(
  db: Db,
  { client_id, member_table_id }: Pick<Datasource, 'client_id' | 'member_table_id'>,
  memberId: number,
): Promise<number[] | null> {
  const row = await db
    .selectFrom('member_hours')
    .select('weights')
    .where('client_id', '=', client_id)
    .where('member_table_id', '=', member_table_id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row?.weights ?? null
}
