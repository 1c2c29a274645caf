import { randomUUID } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { permissions as everyPermission } from '@emma/contract/permissions.ts'
import {
  longestSessionSeconds,
  type SessionClaims,
  sessionClaims,
  tokenSeconds,
} from '@emma/contract/session.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { executePrepared } from '@emma/db/execute-prepared.ts'
import { publish } from '@emma/db/notify.ts'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import { activeClientOf, findPerson, type Person } from './person.ts'

/** IP address and user agent of the client that opened a session. Shown to the session's owner, never trusted. */
export interface Origin {
  ip: string | null
  userAgent: string | null
}

/** How the user authenticated. */
export type SessionMethod = 'password' | 'second_factor' | 'oidc'

export interface SessionOptions {
  /** Uses the permissions of this role instead of the user's own (R148). */
  viewRole?: number | null
  method?: SessionMethod
  /** Login time of the session that this one replaces, ISO 8601. */
  firstSeenAt?: string
}

/**
 * Opens a session and signs its token. The token lives 12 h, has an object as `sub` (T9) and never outlasts the maximum
 * session lifetime, counted from the login.
 * @throws EmmaError `token_expired` when that maximum is over
 */
export async function openSession(
  db: Db,
  key: Buffer,
  userId: number,
  origin: Origin,
  { viewRole = null, method = 'password', firstSeenAt }: SessionOptions = {},
): Promise<string> {
  const person = await findPerson(db, userId)
  const now = Math.floor(Date.now() / 1000)
  const lastSecond = longestSessionSeconds + (firstSeenAt ? Math.floor(Date.parse(firstSeenAt) / 1000) : now)
  const exp = Math.min(now + tokenSeconds, lastSecond)
  if (exp <= now) throw new EmmaError('token_expired')
  const jti = randomUUID()
  const viewed = viewRole === null ? null : await permissionsOfRole(db, person, viewRole)
  await db
    .insertInto('session')
    .values({
      jti,
      user_id: userId,
      expires_at: new Date(exp * 1000).toISOString(),
      ip: origin.ip,
      user_agent: origin.userAgent?.slice(0, 500) ?? null,
      method,
      ...(firstSeenAt === undefined ? {} : { first_seen_at: firstSeenAt }),
    })
    .execute()
  const claims: SessionClaims = {
    ...standing(person, method, viewed),
    jti,
    iat: now,
    exp,
    view_role: viewRole,
  }
  // The claims carry an object `sub` on purpose; the library's types only allow a string.
  return new SignJWT(JSON.parse(JSON.stringify(claims))).setProtectedHeader({ alg: 'HS256' }).sign(key)
}

/**
 * Reads the session of a token. Claims and permissions come from the database's current state, not from the token.
 * @throws EmmaError `no_token`, `token_invalid`, `token_expired`
 */
export async function readSession(
  db: Db,
  key: Buffer,
  token: string | null,
): Promise<{ claims: SessionClaims; actor: Actor }> {
  if (!token) throw new EmmaError('no_token')
  const claims = await verifyToken(key, token)
  const method = await openMethod(db, claims)
  const person = await findPerson(db, claims.sub.id)
  const viewing = claims.view_role === null ? null : await permissionsOfRole(db, person, claims.view_role)
  const isOpen = !lacksSecondFactor(person, method)
  return {
    claims: { ...claims, ...standing(person, method, viewing) },
    actor: {
      userId: person.id,
      clientIds: person.superadmin ? 'all' : person.clients,
      clientId: activeClientOf(person),
      superadmin: person.superadmin && viewing === null && isOpen,
      administrator: person.administrator && viewing === null && isOpen,
      permissions: new Set(isOpen ? (viewing ?? person.permissions) : []),
    },
  }
}

/**
 * Returns the method of an open session and updates `last_seen_at`, at most once a minute.
 * @throws EmmaError `token_expired` when the session is revoked, belongs to another user, or its user is inactive or
 * deleted
 */
async function openMethod(db: Db, { jti, sub }: SessionClaims): Promise<SessionMethod> {
  const statement = db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select(['session.user_id', 'session.method', 'session.last_seen_at'])
    .where('session.jti', '=', jti)
    .where('session.revoked_at', 'is', null)
    .where('app_user.active', '=', true)
    .where('app_user.deleted_at', 'is', null)
  const [open] = await executePrepared(db, statement.compile())
  if (!open || open.user_id !== sub.id) throw new EmmaError('token_expired')
  if (Date.now() - Date.parse(open.last_seen_at) > 60_000)
    await sql`update session set last_seen_at = now() where jti = ${jti}`.execute(db)
  if (open.method === 'second_factor' || open.method === 'oidc') return open.method
  return 'password'
}

/** Claims about the user: identity, permissions, and whether a required second factor is missing. */
function standing(person: Person, method: SessionMethod, viewed: string[] | null) {
  const { id, firstname, lastname, administrator, superadmin } = person
  const own = superadmin ? [...everyPermission] : person.permissions
  const isMissing = lacksSecondFactor(person, method)
  return {
    sub: { id, firstname, lastname, administrator, superadmin },
    permissions: isMissing ? [] : (viewed ?? own),
    ...(isMissing ? { second_factor_missing: true } : {}),
  }
}

/**
 * Whether a role requires a second factor and this login lacks one. Single sign-on replaces it only if the installation
 * trusts the provider for that.
 */
function lacksSecondFactor(person: Person, method: SessionMethod): boolean {
  const isShown = method === 'oidc' ? person.trustsProvider : method === 'second_factor'
  return person.requiresSecondFactor && !person.hasSecondFactor && !isShown
}

/** Revokes one session. Returns false when it has ended already. */
export async function revokeSession(db: Db, jti: string): Promise<boolean> {
  return (await endSessions(db, sql`jti = ${jti}`)) > 0
}

/** Login method of a session; undefined when the session does not exist. */
export async function readSessionMethod(db: Db, jti: string): Promise<string | undefined> {
  const session = await db.selectFrom('session').select('method').where('jti', '=', jti).executeTakeFirst()
  return session?.method ?? undefined
}

/** Revokes a session and opens its successor. Of two concurrent calls one succeeds, the other throws `token_expired`. */
export function replaceSession(
  db: Db,
  key: Buffer,
  old: SessionClaims,
  origin: Origin,
  viewRole: number | null,
): Promise<string> {
  return transaction(db, async tx => {
    if (!(await revokeSession(tx, old.jti))) throw new EmmaError('token_expired')
    const before = await tx
      .selectFrom('session')
      .select(['method', 'first_seen_at'])
      .where('jti', '=', old.jti)
      .executeTakeFirstOrThrow()
    return openSession(tx, key, old.sub.id, origin, {
      viewRole,
      method: before.method === 'oidc' || before.method === 'second_factor' ? before.method : 'password',
      firstSeenAt: before.first_seen_at,
    })
  })
}

/**
 * Revokes all sessions of a user, after a change of password, role or second factor.
 * @param except `jti` of the session to keep
 * @returns the number of revoked sessions
 */
export function revokeSessions(db: Db, userId: number, except: string | null = null): Promise<number> {
  return endSessions(db, sql`user_id = ${userId} and (${except}::uuid is null or jti <> ${except}::uuid)`)
}

/** Revokes all sessions opened by single sign-on, when the provider is no longer trusted. Returns their number. */
export function revokeProviderSessions(db: Db): Promise<number> {
  return endSessions(db, sql`method = 'oidc'`)
}

/** Revokes the matching sessions. The notification makes every server close their sockets. */
async function endSessions(db: Db, which: ReturnType<typeof sql>): Promise<number> {
  const ended = await sql<{ jti: string }>`
    update session set revoked_at = now()
    where ${which} and revoked_at is null and expires_at > now() returning jti`.execute(db)
  const jtis = ended.rows.map(({ jti }) => jti)
  if (jtis.length > 0) await publish(db, { client_id: null, type: sessionEnded, data: { jtis } })
  return jtis.length
}

/**
 * Closes the sockets of all users with this role, so that they reconnect with the current permissions. HTTP requests
 * read permissions each time.
 */
export async function renewSockets(db: Db, roleId: number): Promise<void> {
  const open = await sql<{ jti: string }>`
    select jti from session join user_role using (user_id)
    where role_id = ${roleId} and revoked_at is null and expires_at > now()`.execute(db)
  const jtis = open.rows.map(({ jti }) => jti)
  if (jtis.length > 0) await publish(db, { client_id: null, type: sessionEnded, data: { jtis } })
}

/** Type of the notification between servers that closes sockets; never sent to consoles. */
export const sessionEnded = 'SESSION_ENDED'

async function verifyToken(key: Buffer, token: string): Promise<SessionClaims> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] })
    return sessionClaims.parse(payload)
  } catch (error) {
    throw new EmmaError(error instanceof joseErrors.JWTExpired ? 'token_expired' : 'token_invalid')
  }
}

/** Permissions of the role that a superadmin views the console as. Only superadmins may do this. */
async function permissionsOfRole(db: Db, person: Person, roleId: number): Promise<string[]> {
  if (!person.superadmin) throw new EmmaError('forbidden')
  const role = await db
    .selectFrom('role')
    .select('permissions')
    .where('id', '=', roleId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!role) throw new EmmaError('not_found')
  return role.permissions
}
