import { createHash } from 'node:crypto'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { z } from 'zod'
import { confirmEmail } from '../platform/user-operations.ts'
import type { Actor } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { assertOwn, assertPassword } from './own-account.ts'
import { languageOfUser } from './password-reset.ts'
import { fault } from '@emma/contract/faults.ts'

/** Lifetime of the confirmation link, in hours. */
const linkHours = 24

/** A requested change of the user's own email address. It takes effect once the new address is confirmed. */
export interface EmailChange {
  from: string
  to: string
  username: string
  firstname: string
  language: string
  /**
   * Token for the link sent to the new address. Valid for this account only, while its address and password stay the
   * same.
   */
  token: string
}

const claims = z.object({
  sub: z.string(),
  from: z.string(),
  to: z.string(),
  password: z.string(),
})

/**
 * Requests a change of the user's own address, authorised by the password. Stores nothing: the signed token holds all
 * data.
 *
 * @throws EmmaError `invalid` (wrong password), `locked`, `unique_violation` for an address that another account has
 */
export async function requestEmailChange(
  db: Db,
  key: Buffer,
  actor: Actor,
  userId: number,
  { email: to, old_password: password }: { email: string; old_password?: string | null | undefined },
): Promise<EmailChange> {
  assertOwn(actor, userId)
  if (!password) throw invalid([fieldError('old_password', 'field.required')])
  await assertPassword(db, userId, password)
  const { email: from, username, firstname, language, password_hash } = await readAccount(db, userId)
  const taken = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${to})`)
    .where('id', '<>', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (taken) throw new EmmaError('unique_violation', undefined, [fieldError('email', 'field.taken')])
  const token = await new SignJWT({ from, to, password: fingerprint(password_hash) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(userId))
    .setExpirationTime(`${linkHours}h`)
    .sign(key)
  return { from, to, username, firstname, language, token }
}

/**
 * Sets the address that the link was sent to. Requires a logged-in session, so a link sent to a mistyped address is
 * useless to its recipient.
 *
 * @throws EmmaError `invalid` for a link that is used, expired or another user's
 */
export async function confirmEmailChange(
  db: Db,
  key: Buffer,
  actor: Actor,
  userId: number,
  token: string,
): Promise<void> {
  assertOwn(actor, userId)
  const verified = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch(() => null)
  const change = claims.safeParse(verified?.payload)
  await transaction(db, async tx => {
    await sql`select from app_user where id = ${userId} for update`.execute(tx)
    const { email, password_hash } = await readAccount(tx, userId)
    const isFitting =
      change.success &&
      change.data.sub === String(userId) &&
      change.data.from === email &&
      change.data.password === fingerprint(password_hash)
    if (!isFitting)
      throw new EmmaError('invalid', fault('refusal.email_link_used'), [
        fieldError('token', 'field.link_used'),
      ])
    const { to } = change.data
    await tx
      .updateTable('app_user')
      .set(eb => ({ email: to, revision: eb('revision', '+', 1), updated_by: userId }))
      .where('id', '=', userId)
      .execute()
    await confirmEmail(tx, userId)
    const entry = { clientId: installation, object: 'user', id: userId, action: 'update' }
    await logChange(tx, actor, { ...entry, changes: { email: [email, to] } })
  })
}

interface Account {
  email: string
  username: string
  firstname: string
  language: string
  password_hash: string | null
}

async function readAccount(db: Db, userId: number): Promise<Account> {
  const { rows } = await sql<Account>`
    select u.email, u.username, u.firstname, ${languageOfUser} as language, u.password_hash
    from app_user u where u.id = ${userId}`.execute(db)
  const [account] = rows
  if (!account) throw new EmmaError('not_found')
  return account
}

/** Short hash of the stored password hash; it invalidates the link once the password changes. */
function fingerprint(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 16)
}
