import type { Sql } from '@emma/db/connection.ts'
import type { Actor } from './actor.ts'

/** What happened to a record, by whom: the c-m-u-history (R173). `changes`: field → [before, after]. */
export interface Change {
  clientId: number
  object: string
  id: number
  action: string
  changes?: Record<string, [unknown, unknown]>
}

/** Writes the change into the log, in the transaction that made it. */
export async function logChange(sql: Sql, actor: Actor, change: Change): Promise<void> {
  await sql
    .insertInto('change_log')
    .values({
      client_id: change.clientId,
      user_id: actor.userId,
      object: change.object,
      object_id: change.id,
      action: change.action,
      changes: JSON.stringify(change.changes ?? {}),
    })
    .execute()
}
