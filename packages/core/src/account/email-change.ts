import { createHash } from 'node:crypto'
import { EmmaError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import { z } from 'zod'
import { confirmEmail } from '../platform/user-operations.ts'
import type { Actor } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { assertOwn, assertPassword } from './own-account.ts'
import { languageOfUser } from './password-reset.ts'

/** Hours in which the new address can be confirmed. */
const linkHours = 24

/** Somebody wants another address for the own account; it counts once it is confirmed. */
export interface EmailChange {
  from: string
  to: string
  username: string
  firstname: string
  language: string
  /** For the link to the new address. Good for this account only, as long as address and password are the same. */
  token: string
}

const claims = z.object({
  sub: z.string(),
  from: z.string(),
  to: z.string(),
  password: z.string(),
})

/**
 * Prepares a change of the own address, proven by the password. Nothing is kept: the token says it all.
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
  if (!password) throw invalid([{ field: 'old_password', message: 'is required' }])
  await assertPassword(db, userId, password)
  const { email: from, username, firstname, language, password_hash } = await readAccount(db, userId)
  const taken = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${to})`)
    .where('id', '<>', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (taken)
    throw new EmmaError('unique_violation', undefined, [{ field: 'email', message: 'exists already' }])
  const token = await new SignJWT({ from, to, password: fingerprint(password_hash) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(userId))
    .setExpirationTime(`${linkHours}h`)
    .sign(key)
  return { from, to, username, firstname, language, token }
}

/**
 * Sets the address that the link was mailed to. The person has to be logged in: a link that was mailed to a mistyped
 * address opens nothing for the one who gets it.
 *
 * @throws EmmaError `invalid` for a link that is used, too old or another person's
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
      throw new EmmaError('invalid', 'The link is used or too old. Change the address again.', [
        { field: 'token', message: 'is used or too old' },
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

/** Of the password as it is: with another one the link loses its use. */
function fingerprint(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 16)
}
