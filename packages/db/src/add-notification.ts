import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { publish } from './notify.ts'

export interface NewNotification {
  clientId: number
  /** Recipient; default: all users of the client (with `permission`). */
  userId?: number | null | undefined
  permission?: string | undefined
  kind: 'success' | 'info' | 'warning' | 'danger'
  /** Key of the console text `notifications.{code}`, filled with `details`; without such a text, `text` is shown. */
  code?: string | undefined
  details?: Record<string, unknown> | undefined
  /** English. */
  text: string
  /** Console path of what it is about. */
  path?: string | null | undefined
  createdBy?: number | null | undefined
  /** User who caused it, for whom it is marked as read. */
  knownTo?: number | null | undefined
}

/**
 * Stores a notification (90 days, see keep-installation) and pushes it to open consoles when the transaction commits.
 * @returns the notification's id
 */
export async function addNotification(db: Db, news: NewNotification): Promise<number> {
  const {
    clientId,
    userId = null,
    permission,
    kind,
    code,
    details = {},
    text,
    path = null,
    createdBy = null,
    knownTo = null,
  } = news
  const { rows } = await sql<{ id: number }>`
    insert into notification (client_id, user_id, permission, kind, code, details, text, path, created_by)
    values (${clientId}, ${userId}, ${permission ?? null}, ${kind}, ${code ?? null}, ${JSON.stringify(details)}::jsonb,
      ${text}, ${path}, ${createdBy})
    returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  if (knownTo !== null)
    await sql`
      insert into notification_state (client_id, id, user_id, read_at)
      values (${clientId}, ${id}, ${knownTo}, now())`.execute(db)
  await publish(db, {
    client_id: clientId,
    ...(userId === null ? {} : { user_id: userId }),
    ...(permission === undefined ? {} : { permission }),
    type: 'NOTIFICATION',
    data: { id, kind, code: code ?? null, details, text, path, known_to: knownTo },
  })
  return id
}
