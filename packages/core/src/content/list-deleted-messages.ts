import { restorableMinutesOf } from '@emma/contract/define-resource.ts'
import { message } from '@emma/contract/resources/message.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

interface DeletedMessage {
  message_id: number
  name: string
  subject: string
  deleted_at: string
}

/** The templates of a client that can be restored, the last deleted first. */
export async function listDeletedMessages(
  db: Db,
  clientId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: DeletedMessage[]; total: number }> {
  const { rows } = await sql<DeletedMessage & { total: number }>`
    select message_id, name, subject, deleted_at, count(*) over () as total from message
    where client_id = ${clientId} and deleted_at > now() - make_interval(mins => ${restorableMinutesOf(message)})
    order by message.deleted_at desc, message_id limit ${limit} offset ${offset}`.execute(db)
  return { data: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}
