import type * as contract from '@emma/contract/actions/account.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { verify } from '@node-rs/argon2'
import type { z } from 'zod'
import type { Actor } from '../resource/actor.ts'
import { difference, installation, logChange } from '../resource/log-change.ts'
import { proofSucceeded, reserveProof } from './login-attempts.ts'
import { revokeSession } from './sessions.ts'

/** Throws `not_found` when the requested account is not the actor's own. */
export function assertOwn(actor: Actor, userId: number): void {
  if (actor.userId !== userId) throw new EmmaError('not_found')
}

/**
 * Checks the user's current password. Each attempt counts as failed before the check.
 * @throws EmmaError `invalid` for the field `old_password` (a 401 would tell the console that the session has ended),
 * `locked`
 */
export async function assertPassword(db: Db, userId: number, password: string): Promise<void> {
  await reserveProof(db, userId)
  const person = await db
    .selectFrom('app_user')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!person?.password_hash || !(await verify(person.password_hash, password)))
    throw invalid([fieldError('old_password', 'field.current_password')])
  await proofSucceeded(db, userId)
}

export async function readProfile(db: Db, actor: Actor, userId: number): Promise<Profile> {
  assertOwn(actor, userId)
  return db
    .selectFrom('app_user')
    .select(['username', 'firstname', 'lastname', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

type Profile = Answer<typeof contract.readProfile>
type ProfileChange = z.output<typeof contract.saveProfile.body>

/**
 * Saves the user's own names and email address. A new address requires the password, as password links are sent there.
 */
export async function saveProfile(
  db: Db,
  actor: Actor,
  userId: number,
  input: ProfileChange,
): Promise<Profile> {
  const before = await readProfile(db, actor, userId)
  const { firstname, lastname, email, old_password: password } = input
  if (email !== before.email) {
    if (!password) throw invalid([fieldError('old_password', 'field.required')])
    await assertPassword(db, userId, password)
  }
  return transaction(db, async tx => {
    await tx
      .updateTable('app_user')
      .set(eb => ({ firstname, lastname, email, revision: eb('revision', '+', 1), updated_by: userId }))
      .where('id', '=', userId)
      .execute()
    const after = await readProfile(tx, actor, userId)
    const changes = difference(before, after, Object.keys(after))
    await logChange(tx, actor, {
      clientId: installation,
      object: 'user',
      id: userId,
      action: 'update',
      changes,
    })
    return after
  })
}

type Session = Answer<typeof contract.listSessions>['data'][number]

/** Open sessions, most recently used first, 200 at most. */
export async function listSessions(db: Db, userId: number, currentJti: string | null): Promise<Session[]> {
  const sessions = await db
    .selectFrom('session')
    .select(['jti', 'ip', 'user_agent', 'method', 'first_seen_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .orderBy('last_seen_at', 'desc')
    .limit(200)
    .$narrowType<Pick<Session, 'method'>>()
    .execute()
  return sessions.map(({ jti, ...session }) => ({ id: jti, ...session, is_current: jti === currentJti }))
}

/** Revokes one session of the user. Throws `not_found` when it is not an open session of that user. */
export async function endSession(db: Db, actor: Actor, userId: number, jti: string): Promise<void> {
  const found = await db
    .selectFrom('session')
    .select('jti')
    .where('jti', '=', jti)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new EmmaError('not_found')
  await revokeSession(db, jti)
  await logChange(db, actor, { clientId: installation, object: 'user', id: userId, action: 'end_session' })
}
