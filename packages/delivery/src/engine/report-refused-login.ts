import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { cleanReply } from '../model/clean-reply.ts'
import { addNotificationOnce } from '@emma/core/notifications/add-notification-once.ts'

/** Whose login it is. */
export interface LoginOwner {
  client_id: number
  mailclass_id: number
  name: string
}

/**
 * Notes that a login was refused and mail goes over another login, and tells the client's people once.
 *
 * @param loginId of the stored login; null for the mail class' own
 */
export function reportRefusedLogin(
  db: Db,
  { client_id: clientId, mailclass_id: mailclassId, name }: LoginOwner,
  loginId: number | null,
  reason: string,
): Promise<void> {
  const text = cleanReply(reason, 500)
  return transaction(db, async tx => {
    const login =
      loginId === null
        ? null
        : await tx
            .updateTable('esp_login')
            .set({ refused_at: sql`now()`, refused_text: text })
            .where('client_id', '=', clientId)
            .where('id', '=', loginId)
            .returning('name')
            .executeTakeFirst()
    const details = { mailclass: name, login: login?.name ?? name }
    await addNotificationOnce(
      tx,
      {
        clientId,
        permission: 'EmmaMailclass:get',
        kind: 'warning',
        code: 'login_refused',
        details,
        text: `The login ${details.login} of the mail class ${name} is refused; mail goes over the next one: ${text}`,
        path: `/settings/mailclasses/edit/${mailclassId}`,
      },
      details,
    )
  })
}
