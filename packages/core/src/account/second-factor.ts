import { createHash, randomBytes } from 'node:crypto'
import type { readSecondFactor as readAction } from '@emma/contract/actions/second-factor.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { generateSecret, generateURI, verify } from 'otplib'
import { sql } from 'kysely'
import { openSecret, sealSecret } from '../deliverability/secret-box.ts'
import type { Actor } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { proofSucceeded, reserveProof } from './login-attempts.ts'
import { assertOwn, assertPassword } from './own-account.ts'
import { findPerson } from './person.ts'
import { revokeSessions } from './sessions.ts'
import { fault } from '@emma/contract/faults.ts'

/** Accepted clock skew: one 30 s time step in either direction (RFC 6238, 5.2). */
const toleranceSeconds = 30
const recoveryCodes = 10

/** When the second factor was set up, how many recovery codes are left, and whether a role requires it. */
export async function readSecondFactor(
  db: Db,
  actor: Actor,
  userId: number,
): Promise<Answer<typeof readAction>> {
  assertOwn(actor, userId)
  const { requiresSecondFactor } = await findPerson(db, userId)
  const { rows } = await sql<Omit<Answer<typeof readAction>, 'is_required'>>`
    select second_factor_since as since,
      (select count(*) from recovery_code where user_id = ${userId} and used_at is null)::int as recovery_codes
    from app_user where id = ${userId}`.execute(db)
  const [factor = { since: null, recovery_codes: 0 }] = rows
  return { ...factor, is_required: requiresSecondFactor }
}

/**
 * Creates a key for an authenticator app and stores it encrypted. Logins do not require it until it is confirmed.
 * @throws EmmaError `invalid` for a wrong password, `conflict` when a second factor exists
 */
export async function beginSecondFactor(
  db: Db,
  key: Buffer,
  actor: Actor,
  userId: number,
  password: string,
): Promise<{ key: string; address: string }> {
  assertOwn(actor, userId)
  await assertPassword(db, userId, password)
  const secret = generateSecret()
  const person = await db
    .updateTable('app_user')
    .set({ second_factor_secret: sealSecret(key, secret), second_factor_step: 0 })
    .where('id', '=', userId)
    .where('second_factor_since', 'is', null)
    .returning('username')
    .executeTakeFirst()
  if (!person) throw new EmmaError('conflict', fault('refusal.second_factor_remove'))
  return { key: secret, address: generateURI({ issuer: 'EMMA', label: person.username, secret }) }
}

/**
 * Enables the second factor once a code proves that the app has the key. Revokes all sessions. Returns the recovery
 * codes, of which only hashes are stored.
 * @throws EmmaError `invalid` for a wrong code, `conflict` when a second factor exists
 */
export async function confirmSecondFactor(
  db: Db,
  key: Buffer,
  actor: Actor,
  userId: number,
  code: string,
): Promise<string[]> {
  assertOwn(actor, userId)
  await reserveProof(db, userId)
  const codes = await transaction(db, async tx => {
    if (!(await takeAppCode(tx, key, userId, code))) throw wrongCode()
    const switched = await tx
      .updateTable('app_user')
      .set({ second_factor_since: new Date().toISOString() })
      .where('id', '=', userId)
      .where('second_factor_since', 'is', null)
      .executeTakeFirst()
    if (switched.numUpdatedRows === 0n) throw new EmmaError('conflict', fault('refusal.second_factor'))
    const recovery = Array.from({ length: recoveryCodes }, makeRecoveryCode)
    await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    await tx
      .insertInto('recovery_code')
      .values(recovery.map(text => ({ user_id: userId, code_hash: digest(text) })))
      .execute()
    await revokeSessions(tx, userId)
    await log(tx, actor, userId, 'add_second_factor')
    return recovery
  })
  await proofSucceeded(db, userId)
  return codes
}

/** Disables the user's own second factor; requires password and code. Revokes all sessions. Throws `invalid`. */
export async function removeSecondFactor(
  db: Db,
  key: Buffer,
  actor: Actor,
  userId: number,
  proof: { old_password: string; code: string },
): Promise<void> {
  assertOwn(actor, userId)
  await assertPassword(db, userId, proof.old_password)
  await reserveProof(db, userId)
  if (!(await takeCode(db, key, userId, proof.code))) throw wrongCode()
  await proofSucceeded(db, userId)
  await dropSecondFactor(db, actor, userId)
}

/** Removes a user's second factor and recovery codes, and revokes all sessions. */
export function dropSecondFactor(db: Db, actor: Actor, userId: number): Promise<void> {
  return transaction(db, async tx => {
    await tx
      .updateTable('app_user')
      .set({ second_factor_secret: null, second_factor_since: null, second_factor_step: 0 })
      .where('id', '=', userId)
      .execute()
    await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    await revokeSessions(tx, userId)
    await log(tx, actor, userId, 'remove_second_factor')
  })
}

/** Whether this is a code of the authenticator app or an unused recovery code. Each code is accepted once. */
export async function takeCode(db: Db, key: Buffer, userId: number, code: string): Promise<boolean> {
  if (/^[\d\s]+$/.test(code)) return takeAppCode(db, key, userId, code)
  const used = await sql`
    update recovery_code set used_at = now()
    where user_id = ${userId} and code_hash = ${digest(code)} and used_at is null returning user_id`.execute(
    db,
  )
  return used.rows.length > 0
}

/**
 * Checks a code of the authenticator app. One statement compares and stores the time step, so of two concurrent uses
 * one passes.
 */
async function takeAppCode(db: Db, key: Buffer, userId: number, code: string): Promise<boolean> {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const person = await db
    .selectFrom('app_user')
    .select('second_factor_secret')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!person?.second_factor_secret) return false
  const secret = openSecret(key, person.second_factor_secret)
  const result = await verify({ secret, token, epochTolerance: toleranceSeconds })
  if (!result.valid || !('timeStep' in result)) return false
  const taken = await db
    .updateTable('app_user')
    .set({ second_factor_step: result.timeStep })
    .where('id', '=', userId)
    .where('second_factor_step', '<', result.timeStep)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 16 characters of 32, 80 bits: `abcd-efgh-jkmn-pqrs`. */
function makeRecoveryCode(): string {
  const signs = [...randomBytes(16)].map(byte => letters.charAt(byte % letters.length)).join('')
  return signs.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Hash of a code; ignores dashes, spaces and case. The codes have enough entropy for a plain hash. */
function digest(code: string): Buffer {
  return createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest()
}

function wrongCode(): EmmaError {
  return invalid([fieldError('code', 'field.app_code')])
}

function log(db: Db, actor: Actor, id: number, action: string): Promise<void> {
  return logChange(db, actor, { clientId: installation, object: 'user', id, action })
}
