import { createHash, randomBytes } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { setPassword } from '../platform/user-operations.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { systemActor } from '../resource/actor.ts'
import { revokeSessions } from './sessions.ts'

const resetMinutes = 60
const invitationMinutes = 7 * 24 * 60

/** A link for a new password, to be mailed. */
export interface PasswordLink {
  email: string
  username: string
  firstname: string
  /** The person's: of the settings, else of the first client. */
  language: string
  isInvitation: boolean
  /** Single use, 60 minutes or 7 days; only its hash is kept. */
  token: string
}

/** Prepares a reset for a username or e-mail; null when nobody has it (the caller answers the same either way). */
export async function requestPasswordReset(sql: Sql, username: string): Promise<PasswordLink | null> {
  const person = await sql
    .selectFrom('app_user')
    .select('id')
    .where(raw<boolean>`(lower(username) = lower(${username}) or lower(email) = lower(${username}))`)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  return person ? makeLink(sql, person.id, false) : null
}

/** Prepares an invitation. Earlier ones lose their use. Throws `conflict` for somebody who is not active. */
export function inviteUser(sql: Sql, userId: number): Promise<PasswordLink> {
  return transaction(sql, async tx => {
    await raw`
      update password_reset set used_at = now()
      where user_id = ${userId} and is_invitation and used_at is null`.execute(tx)
    const link = await makeLink(tx, userId, true)
    if (!link) throw new EmmaError('conflict', 'Only active users can be invited.')
    return link
  })
}

async function makeLink(sql: Sql, userId: number, isInvitation: boolean): Promise<PasswordLink | null> {
  const { rows } = await raw<Omit<PasswordLink, 'token' | 'isInvitation'>>`
    select u.email, u.username, u.firstname, coalesce(
      (select s.custom ->> 'language' from user_settings s where s.user_id = u.id order by s.position, s.client_id limit 1),
      (select c.language from user_client uc join client c using (client_id)
        where uc.user_id = u.id order by c.client_id limit 1),
      'en') as language
    from app_user u where u.id = ${userId} and u.active and u.deleted_at is null`.execute(sql)
  const [person] = rows
  if (!person) return null
  const token = randomBytes(32).toString('base64url')
  await raw`
    insert into password_reset (token_hash, user_id, is_invitation, expires_at)
    values (${digest(token)}, ${userId}, ${isInvitation},
      now() + make_interval(mins => ${isInvitation ? invitationMinutes : resetMinutes}))`.execute(sql)
  return { ...person, isInvitation, token }
}

/** Sets the new password, once, and ends all sessions. Throws `invalid` for a token that is wrong, used or too old. */
export function resetPassword(sql: Sql, token: string, password: string): Promise<void> {
  return transaction(sql, async tx => {
    const used = await raw<{ user_id: number }>`
      update password_reset r set used_at = now() from app_user u
      where token_hash = ${digest(token)} and used_at is null and expires_at > now()
        and u.id = r.user_id and u.active and u.deleted_at is null
      returning r.user_id`.execute(tx)
    const id = used.rows[0]?.user_id
    if (id === undefined)
      throw new EmmaError('invalid', 'The link is used or too old. Ask for a new one.', [
        { field: 'token', message: 'is used or too old' },
      ])
    await setPassword(tx, id, password)
    await revokeSessions(tx, id)
    const person = { ...systemActor(installation), userId: id }
    await logChange(tx, person, { clientId: installation, object: 'user', id, action: 'reset_password' })
  })
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
