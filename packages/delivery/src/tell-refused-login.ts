import { addNotification } from '@emma/db/add-notification.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { cleanReply } from './clean-reply.ts'

/** Engines that find out on their own, and logins that come and go, tell of it once in this time. */
const QUIET_HOURS = 6

/** Whose login it is. */
export interface LoginOwner {
  client_id: number
  mailclass_id: number
  name: string
}

/**
 * Notes that a login was refused and mail goes another way, and tells the client's people once.
 *
 * @param loginId of the stored login; null for the mail class' own
 */
export function tellRefusedLogin(
  sql: Sql,
  { client_id: clientId, mailclass_id: mailclassId, name }: LoginOwner,
  loginId: number | null,
  reason: string,
): Promise<void> {
  const text = cleanReply(reason, 500)
  return transaction(sql, async tx => {
    // Several engines at once tell one after the other.
    await raw`select pg_advisory_xact_lock(hashtextextended(${`refused login ${clientId} ${mailclassId}`}, 0))`.execute(
      tx,
    )
    const login =
      loginId === null
        ? null
        : await tx
            .updateTable('esp_login')
            .set({ refused_at: raw`now()`, refused_text: text })
            .where('client_id', '=', clientId)
            .where('id', '=', loginId)
            .returning('name')
            .executeTakeFirst()
    const path = `/settings/mailclasses/edit/${mailclassId}`
    const details = { mailclass: name, login: login?.name ?? name }
    const told = await tx
      .selectFrom('notification')
      .select('id')
      .where('client_id', '=', clientId)
      .where('code', '=', 'login_refused')
      .where('path', '=', path)
      .where(raw<boolean>`details = ${JSON.stringify(details)}::jsonb`)
      .where(raw<boolean>`created_at > now() - make_interval(hours => ${QUIET_HOURS})`)
      .executeTakeFirst()
    if (told) return
    await addNotification(tx, {
      clientId,
      permission: 'EmmaMailclass:get',
      kind: 'warning',
      code: 'login_refused',
      details,
      text: `The login ${details.login} of the mail class ${name} is refused; mail goes over the next one: ${text}`,
      path,
    })
  })
}
