import { createHash, randomBytes } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import { setPassword } from '../platform/user-operations.ts'
import { revokeSessions } from './sessions.ts'

const lifeMinutes = 60

/** A reset that was asked for, to be mailed. */
export interface ResetRequest {
  email: string
  firstname: string
  /** Single use, 60 minutes; only its hash is kept. */
  token: string
}

/** Prepares a reset for a username or e-mail; null when nobody has it (the caller answers the same either way). */
export async function requestPasswordReset(sql: Sql, username: string): Promise<ResetRequest | null> {
  const person = await sql
    .selectFrom('app_user')
    .select(['id', 'email', 'firstname'])
    .where(raw<boolean>`(lower(username) = lower(${username}) or lower(email) = lower(${username}))`)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  if (!person) return null
  const token = randomBytes(32).toString('base64url')
  await raw`
    insert into password_reset (token_hash, user_id, expires_at)
    values (${digest(token)}, ${person.id}, now() + make_interval(mins => ${lifeMinutes}))`.execute(sql)
  return { email: person.email, firstname: person.firstname, token }
}

/** Sets the new password, once, and ends all sessions. Throws `invalid` for a token that is wrong, used or too old. */
export function resetPassword(sql: Sql, token: string, password: string): Promise<void> {
  return transaction(sql, async tx => {
    const used = await raw<{ user_id: number }>`
      update password_reset set used_at = now()
      where token_hash = ${digest(token)} and used_at is null and expires_at > now()
      returning user_id`.execute(tx)
    const id = used.rows[0]?.user_id
    if (id === undefined)
      throw new EmmaError('invalid', 'The link is used or too old. Ask for a new one.', [
        { field: 'token', message: 'is used or too old' },
      ])
    await setPassword(tx, id, password)
    await revokeSessions(tx, id)
  })
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
