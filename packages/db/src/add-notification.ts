import { sql } from 'kysely'
import type { Db } from './connection.ts'
import { publish } from './notify.ts'

export interface NewNotification {
  clientId: number
  /** For this person alone; for all of the client (who hold `permission`) when left out. */
  userId?: number | null | undefined
  permission?: string | undefined
  kind: 'success' | 'info' | 'warning' | 'danger'
  /** The console says `notifications.{code}` with `details` in the reader's language; `text` where it does not know it. */
  code?: string | undefined
  details?: Record<string, unknown> | undefined
  /** English. */
  text: string
  /** Path of the console that shows what it is about. */
  path?: string | null | undefined
  createdBy?: number | null | undefined
  /** Whoever did it: to that person it is no news, and read already. */
  knownTo?: number | null | undefined
}

/**
 * Keeps news for the bell of those it concerns (90 days, see keep-installation) and tells their open consoles, in the
 * transaction of `sql`: nothing is told of what was rolled back.
 *
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
