import { editorTimes } from '@emma/contract/actions/message-editors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { assertMessage } from './message-versions.ts'

/** A browser window that has a template open. */
interface EditorWindow {
  clientId: number
  messageId: number
  userId: number
  windowId: string
}

interface Editor {
  user_id: number
  name: string
  opened_at: string
  is_self: boolean
}

const silence = sql`make_interval(secs => ${editorTimes.silence / 1000})`

/** Notes that a window has a template open, or has closed it. Throws `not_found` for an unknown message. */
export async function noteEditor(
  db: Db,
  { clientId, messageId, userId, windowId }: EditorWindow,
  closes: boolean,
): Promise<void> {
  await assertMessage(db, clientId, messageId)
  await sql`
    delete from message_editor
    where client_id = ${clientId} and (seen_at < now() - ${silence}
      or ${closes} and message_id = ${messageId} and window_id = ${windowId}::uuid and user_id = ${userId})`.execute(
    db,
  )
  if (closes) return
  await sql`
    insert into message_editor as e (client_id, message_id, window_id, user_id)
    values (${clientId}, ${messageId}, ${windowId}::uuid, ${userId})
    on conflict (client_id, message_id, window_id) do update set seen_at = now()
    where e.user_id = excluded.user_id`.execute(db)
}

/** Other windows that have the template open: one for each user, the first to open it first; at most 20. */
export async function listOtherEditors(
  db: Db,
  { clientId, messageId, userId, windowId }: EditorWindow,
): Promise<Editor[]> {
  const { rows } = await sql<Editor>`
    select u.id as user_id, coalesce(nullif(trim(concat(u.firstname, ' ', u.lastname)), ''), u.username) as name,
      min(e.opened_at) as opened_at, u.id = ${userId} as is_self
    from message_editor e join app_user u on u.id = e.user_id and u.deleted_at is null
    where e.client_id = ${clientId} and e.message_id = ${messageId} and e.window_id <> ${windowId}::uuid
      and e.seen_at >= now() - ${silence}
    group by u.id order by min(e.opened_at), u.id limit 20`.execute(db)
  return rows
}
