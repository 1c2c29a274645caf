import { createHash, randomBytes } from 'node:crypto'
import { fieldError, EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { confirmEmail, setPassword } from '../platform/user-operations.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { systemActor } from '../resource/actor.ts'
import { revokeApiTokens } from './api-tokens.ts'
import { unlockAccount } from './login-attempts.ts'
import { dropSecondFactor } from './second-factor.ts'
import { revokeSessions } from './sessions.ts'
import { fault } from '@emma/contract/faults.ts'

const resetMinutes = 60
const invitationMinutes = 7 * 24 * 60

/**
 * Most links mailed to one account per hour and day, from whatever address they are requested, so that nobody's mailbox
 * is flooded.
 */
const mostLinks = { hour: 3, day: 10 }

/** SQL expression for the language of user `u`: from the settings, else of the first client, else `en`. */
export const languageOfUser = sql<string>`coalesce(
  (select s.custom ->> 'language' from user_settings s where s.user_id = u.id order by s.position, s.client_id limit 1),
  (select c.language from user_client uc join client c using (client_id)
    where uc.user_id = u.id order by c.client_id limit 1),
  'en')`

/** Language of emails to an account. */
export async function languageOfAccount(db: Db, userId: number): Promise<string> {
  const { rows } = await sql<{ language: string }>`
    select ${languageOfUser} as language from app_user u where u.id = ${userId}`.execute(db)
  return rows[0]?.language ?? 'en'
}

/** A password link to be sent by email. */
export interface PasswordLink {
  email: string
  username: string
  firstname: string
  /** From the user's settings, else of the first client, else `en`. */
  language: string
  isInvitation: boolean
  /** Single use, valid for 60 minutes (reset) or 7 days (invitation). Only its hash is stored. */
  token: string
}

/**
 * Creates a reset link for a username or email address. Returns null when no active account matches or its limit is
 * reached; the caller responds the same either way.
 */
export async function requestPasswordReset(db: Db, username: string): Promise<PasswordLink | null> {
  const person = await db
    .selectFrom('app_user')
    .select('id')
    .where(sql<boolean>`(lower(username) = lower(${username}) or lower(email) = lower(${username}))`)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
  if (!person) return null
  return transaction(db, async tx =>
    (await mayMail(tx, person.id)) ? makeLink(tx, person.id, 'reset', true) : null,
  )
}

/**
 * Creates a link at the request of the server's operator; an invitation if the account has no password yet.
 * `removesSecondFactor` also removes the second factor, for users who lost it and all recovery codes.
 * @throws EmmaError `not_found` when no active account has the username
 */
export async function makePasswordLink(
  db: Db,
  username: string,
  { removesSecondFactor = false } = {},
): Promise<PasswordLink> {
  const person = await db
    .selectFrom('app_user')
    .select(['id', 'password_hash'])
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const link =
    person && (await makeLink(db, person.id, person.password_hash === null ? 'invitation' : 'reset', false))
  if (!person || !link) throw new EmmaError('not_found')
  if (removesSecondFactor) await dropSecondFactor(db, systemActor(installation), person.id)
  const entry = { clientId: installation, object: 'user', id: person.id, action: 'print_password_link' }
  await logChange(db, systemActor(installation), entry)
  return link
}

/**
 * Creates an invitation and invalidates earlier ones.
 * @throws EmmaError `conflict` for an inactive user, `too_many` after ten in a day
 */
export function inviteUser(db: Db, userId: number): Promise<PasswordLink> {
  return transaction(db, async tx => {
    if (!(await mayMail(tx, userId, mostLinks.day))) throw new EmmaError('too_many')
    await sql`
      update password_reset set used_at = now()
      where user_id = ${userId} and is_invitation and used_at is null`.execute(tx)
    const link = await makeLink(tx, userId, 'invitation', true)
    if (!link) throw new EmmaError('conflict', fault('refusal.invite_active'))
    return link
  })
}

/**
 * Whether the account may get one more link by email. Locks the account's row, so that concurrent requests count each
 * other.
 */
async function mayMail(tx: Db, userId: number, anHour = mostLinks.hour): Promise<boolean> {
  await sql`select from app_user where id = ${userId} for update`.execute(tx)
  const { rows } = await sql<{ hour: number; day: number }>`
    select count(*) filter (where created_at > now() - interval '1 hour')::int as hour, count(*)::int as day
    from password_reset
    where user_id = ${userId} and is_mailed and created_at > now() - interval '1 day'`.execute(tx)
  const [mailed] = rows
  return mailed !== undefined && mailed.hour < anHour && mailed.day < mostLinks.day
}

async function makeLink(
  db: Db,
  userId: number,
  kind: 'reset' | 'invitation',
  isMailed: boolean,
): Promise<PasswordLink | null> {
  const isInvitation = kind === 'invitation'
  const { rows } = await sql<Omit<PasswordLink, 'token' | 'isInvitation'>>`
    select u.email, u.username, u.firstname, ${languageOfUser} as language
    from app_user u where u.id = ${userId} and u.active and u.deleted_at is null`.execute(db)
  const [person] = rows
  if (!person) return null
  const token = randomBytes(32).toString('base64url')
  await sql`
    insert into password_reset (token_hash, user_id, is_invitation, is_mailed, expires_at)
    values (${digest(token)}, ${userId}, ${isInvitation}, ${isMailed},
      now() + make_interval(mins => ${isInvitation ? invitationMinutes : resetMinutes}))`.execute(db)
  return { ...person, isInvitation, token }
}

/**
 * Sets the new password and revokes all sessions and API tokens, as those opened with the old password may be an
 * attacker's. The link works once; one that was mailed also confirms the address.
 * @throws EmmaError `invalid` for a token that is wrong, used or expired
 */
export function resetPassword(db: Db, token: string, password: string): Promise<void> {
  return transaction(db, async tx => {
    const used = await sql<{ user_id: number; is_mailed: boolean }>`
      update password_reset r set used_at = now() from app_user u
      where token_hash = ${digest(token)} and used_at is null and expires_at > now()
        and u.id = r.user_id and u.active and u.deleted_at is null
      returning r.user_id, r.is_mailed`.execute(tx)
    const [link] = used.rows
    if (!link)
      throw new EmmaError('invalid', fault('refusal.link_used'), [fieldError('token', 'field.link_used')])
    const { user_id: id } = link
    await setPassword(tx, id, password)
    if (link.is_mailed) await confirmEmail(tx, id)
    await revokeApiTokens(tx, id)
    await unlockAccount(tx, id)
    await revokeSessions(tx, id)
    const person = { ...systemActor(installation), userId: id }
    await logChange(tx, person, { clientId: installation, object: 'user', id, action: 'reset_password' })
  })
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
