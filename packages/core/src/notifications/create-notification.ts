import type { StoredNotification } from '@emma/contract/actions/notifications.ts'
import { fieldError, invalid } from '@emma/contract/errors.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Actor, ownClient } from '../resource/actor.ts'

export interface WrittenNews {
  kind: StoredNotification['kind']
  text: string
  path?: string | null | undefined
  /** One user of the client; omitted: all. */
  user_id?: number | null | undefined
  client_id?: number | null | undefined
}

/**
 * Adds a notification written by a user. Throws `not_found` for an inaccessible client, `invalid` for a user who does
 * not belong to it.
 */
export function createNotification(db: Db, actor: Actor, news: WrittenNews): Promise<StoredNotification> {
  const clientId = ownClient(actor, news.client_id)
  const { kind, text, path = null, user_id: userId = null } = news
  return transaction(db, async tx => {
    if (userId !== null) {
      const found = await sql`
        select from app_user u
        where u.id = ${userId} and u.deleted_at is null and (u.superadmin or exists (
          select from user_client uc where uc.user_id = u.id and uc.client_id = ${clientId}))`.execute(tx)
      if (found.rows.length === 0) throw invalid([fieldError('user_id', 'field.not_there')])
    }
    const id = await addNotification(tx, { clientId, userId, kind, text, path, createdBy: actor.userId })
    const { rows } = await sql<StoredNotification>`
      select id, client_id, kind, code, details, text, path, created_at, null as read_at from notification
      where client_id = ${clientId} and id = ${id}`.execute(tx)
    const [made] = rows
    if (!made) throw new Error('No notification found!')
    return made
  })
}
