import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import {
  type LoginAttempt,
  type LoginReservation,
  loginSucceeded,
  refundLogin,
  reserveLogin,
} from './login-attempts.ts'
import { takeCode } from './second-factor.ts'
import { openSession, type Origin } from './sessions.ts'

/** Hash to verify against when the username does not exist, so that response times do not reveal usernames. */
const nobody = hash('nobody has this password')

export interface LoginKeys {
  /** Key that signs session tokens. */
  session: Buffer
  /** Key that decrypts secrets at rest. */
  secrets: Buffer
}

export interface Login extends LoginAttempt {
  password: string
  /** Second factor: six digits, or a recovery code. */
  code?: string | undefined
}

/**
 * Checks username (case-insensitive), password and second factor, opens a session and returns its token. Existing and
 * unknown accounts get the same responses, work and limits.
 * @throws EmmaError `wrong_login` for a wrong username or password; `second_factor_required` and `second_factor_wrong`
 * once both are right; `locked` after too many failures
 */
export async function logIn(db: Db, keys: LoginKeys, login: Login, origin: Origin): Promise<string> {
  const reservation = await reserveLogin(db, login)
  const person = await db
    .selectFrom('app_user')
    .select(['id', 'password_hash', 'active', 'second_factor_since'])
    .where(sql<boolean>`lower(username) = lower(${login.username})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const fits = await verify(person?.password_hash ?? (await nobody), login.password)
  if (!person?.active || !person.password_hash || !fits) throw new EmmaError('wrong_login')
  const needsCode = person.second_factor_since !== null
  if (needsCode) await assertCode(db, keys.secrets, person.id, login.code, reservation)
  await loginSucceeded(db, reservation)
  return openSession(db, keys.session, person.id, origin, {
    method: needsCode ? 'second_factor' : 'password',
  })
}

/**
 * Checks the second factor of a user whom a single sign-on provider has authenticated. Users without a second factor
 * pass.
 * @throws EmmaError `second_factor_required`, `second_factor_wrong`, `locked`
 */
export async function assertSecondFactor(
  db: Db,
  secrets: Buffer,
  userId: number,
  proof: { code: string | undefined; address: string },
): Promise<void> {
  const person = await db
    .selectFrom('app_user')
    .select(['username', 'second_factor_since'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!person || person.second_factor_since === null) return
  const { code, address } = proof
  const reservation = await reserveLogin(db, { username: person.username, address })
  await assertCode(db, secrets, userId, code, reservation)
  await loginSucceeded(db, reservation)
}

/**
 * Checks the second factor. Wrong codes count like wrong passwords, so a stolen password does not allow guessing codes.
 */
async function assertCode(
  db: Db,
  key: Buffer,
  userId: number,
  code: string | undefined,
  reservation: LoginReservation,
): Promise<void> {
  if (!code) {
    await refundLogin(db, reservation)
    throw new EmmaError('second_factor_required')
  }
  if (!(await takeCode(db, key, userId, code))) throw new EmmaError('second_factor_wrong')
}
