import { randomUUID } from 'node:crypto'
import { EmmaError } from '@emma/contract/errors.ts'
import { permissions as everyPermission } from '@emma/contract/permissions.ts'
import { type SessionClaims, sessionClaims, tokenSeconds } from '@emma/contract/session.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { sql as raw } from 'kysely'
import type { Actor } from '../resource/actor.ts'

/** Where a session was opened from: shown to its owner, never trusted. */
export interface Origin {
  ip: string | null
  userAgent: string | null
}

interface Person {
  id: number
  firstname: string
  lastname: string
  administrator: boolean
  superadmin: boolean
  permissions: string[]
  clients: number[]
  activeClient: number | null
}

/** Opens a session and signs its token: 12 h, `sub` an object (T9). `viewRole`: rights of that role instead (R148). */
export async function openSession(
  sql: Sql,
  key: Buffer,
  userId: number,
  origin: Origin,
  viewRole: number | null = null,
): Promise<string> {
  const person = await findPerson(sql, userId)
  const now = Math.floor(Date.now() / 1000)
  const jti = randomUUID()
  const seen = viewRole === null ? null : await permissionsOfRole(sql, person, viewRole)
  await sql
    .insertInto('session')
    .values({
      jti,
      user_id: userId,
      expires_at: new Date((now + tokenSeconds) * 1000).toISOString(),
      ip: origin.ip,
      user_agent: origin.userAgent?.slice(0, 500) ?? null,
    })
    .execute()
  const claims: SessionClaims = {
    sub: {
      id: person.id,
      firstname: person.firstname,
      lastname: person.lastname,
      administrator: person.administrator,
      superadmin: person.superadmin,
    },
    jti,
    iat: now,
    exp: now + tokenSeconds,
    permissions: seen ?? (person.superadmin ? [...everyPermission] : person.permissions),
    view_role: viewRole,
  }
  // The claims carry an object `sub` on purpose; the library types it as text.
  return new SignJWT(JSON.parse(JSON.stringify(claims))).setProtectedHeader({ alg: 'HS256' }).sign(key)
}

/**
 * The session behind a token, with the person's rights as they are now in the database, not as they were when it was
 * signed. Throws `no_token`, `token_invalid`, `token_expired`.
 */
export async function readSession(
  sql: Sql,
  key: Buffer,
  token: string | null,
): Promise<{ claims: SessionClaims; actor: Actor }> {
  if (!token) throw new EmmaError('no_token')
  const claims = await verifyToken(key, token)
  const open = await sql
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select('session.user_id')
    .where('session.jti', '=', claims.jti)
    .where('session.revoked_at', 'is', null)
    .where('app_user.active', '=', true)
    .where('app_user.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!open || open.user_id !== claims.sub.id) throw new EmmaError('token_expired')
  const person = await findPerson(sql, claims.sub.id)
  const viewing = claims.view_role === null ? null : await permissionsOfRole(sql, person, claims.view_role)
  return {
    claims,
    actor: {
      userId: person.id,
      clientIds: person.superadmin ? 'all' : person.clients,
      clientId: activeClientOf(person),
      superadmin: person.superadmin && viewing === null,
      administrator: person.administrator && viewing === null,
      permissions: new Set(viewing ?? person.permissions),
    },
  }
}

/** Settings outlive a place in a client; the place decides. */
function activeClientOf({ superadmin, activeClient, clients }: Person): number | null {
  const isOwn = activeClient !== null && (superadmin || clients.includes(activeClient))
  return isOwn ? activeClient : (clients[0] ?? null)
}

/** Ends one session. False when it had ended already. */
export async function revokeSession(sql: Sql, jti: string): Promise<boolean> {
  const ended = await raw`
    update session set revoked_at = now() where jti = ${jti} and revoked_at is null returning jti`.execute(
    sql,
  )
  return ended.rows.length > 0
}

/** Ends a session and opens its successor: of two who ask at once one gets it, the other `token_expired`. */
export function replaceSession(
  sql: Sql,
  key: Buffer,
  old: SessionClaims,
  origin: Origin,
  viewRole: number | null,
): Promise<string> {
  return transaction(sql, async tx => {
    if (!(await revokeSession(tx, old.jti))) throw new EmmaError('token_expired')
    return openSession(tx, key, old.sub.id, origin, viewRole)
  })
}

/** Ends all sessions of a person: after a password, role or second-factor change. */
export async function revokeSessions(sql: Sql, userId: number): Promise<void> {
  await raw`update session set revoked_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    sql,
  )
}

async function verifyToken(key: Buffer, token: string): Promise<SessionClaims> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] })
    return sessionClaims.parse(payload)
  } catch (error) {
    throw new EmmaError(error instanceof joseErrors.JWTExpired ? 'token_expired' : 'token_invalid')
  }
}

async function findPerson(sql: Sql, userId: number): Promise<Person> {
  const found = await raw<Person>`
    select u.id, u.firstname, u.lastname, u.superadmin,
      u.administrator or exists (
        select from user_role ur join role r on r.id = ur.role_id
        where ur.user_id = u.id and r.is_administrator and r.deleted_at is null) as administrator,
      coalesce((
        select array_agg(distinct permission) from user_role ur join role r on r.id = ur.role_id,
          unnest(r.permissions) as permission
        where ur.user_id = u.id and r.deleted_at is null), '{}') as permissions,
      coalesce((
        select array_agg(uc.client_id order by uc.client_id) from user_client uc join client c using (client_id)
        where uc.user_id = u.id and c.deleted_at is null), '{}') as clients,
      coalesce(
        (select s.client_id from user_settings s join client c using (client_id)
          where s.user_id = u.id and c.deleted_at is null order by s.position, s.client_id limit 1),
        (select min(client_id) from client where u.superadmin and deleted_at is null)) as "activeClient"
    from app_user u where u.id = ${userId}`.execute(sql)
  const person = found.rows[0]
  if (!person) throw new EmmaError('token_expired')
  return person
}

/** Only who really is superadmin may look through another role's eyes. */
async function permissionsOfRole(sql: Sql, person: Person, roleId: number): Promise<string[]> {
  if (!person.superadmin) throw new EmmaError('forbidden')
  const role = await sql
    .selectFrom('role')
    .select('permissions')
    .where('id', '=', roleId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!role) throw new EmmaError('not_found')
  return role.permissions
}
