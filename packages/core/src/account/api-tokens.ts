import { createHash, randomBytes } from 'node:crypto'
import {
  type createApiToken as createAction,
  type listApiTokens as listAction,
  tokenPrefix,
} from '@emma/contract/actions/api-tokens.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { permissions as everyPermission, tokenPermissions } from '@emma/contract/permissions.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { executePrepared } from '@emma/db/execute-prepared.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, canAccessClient } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { assertOwn } from './own-account.ts'
import { activeClientOf, findPerson, type Person } from './person.ts'

const columns = [
  'id',
  'name',
  'prefix',
  'permissions',
  'client_ids',
  'created_at',
  'expires_at',
  'last_used_at',
  'last_used_ip',
] as const

/** Length of the visible prefix that identifies a token. */
const shownLength = tokenPrefix.length + 6

/** Tokens that are neither revoked nor expired, newest first. */
export function listApiTokens(db: Db, userId: number): Promise<Answer<typeof listAction>['data']> {
  return db
    .selectFrom('api_token')
    .select(columns)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Creates an API token of 256 random bits; only its SHA-256 is stored. The response shows it in clear text, once.
 * @throws EmmaError `invalid` for permissions or clients that the user does not have
 */
export function createApiToken(
  db: Db,
  actor: Actor,
  userId: number,
  input: z.output<typeof createAction.body>,
): Promise<Answer<typeof createAction>> {
  assertOwn(actor, userId)
  const held = actor.superadmin ? new Set<string>(everyPermission) : actor.permissions
  const tooMuch = input.permissions.filter(permission => !held.has(permission))
  if (tooMuch.length > 0)
    throw invalid([
      fieldError('permissions', 'field.rights', { permissions: tooMuch.slice(0, 10).join(', ') }),
    ])
  if (!input.client_ids.every(client => canAccessClient(actor, client)))
    throw invalid([fieldError('client_ids', 'field.not_there')])
  const token = tokenPrefix + randomBytes(32).toString('base64url')
  return transaction(db, async tx => {
    const made = await tx
      .insertInto('api_token')
      .values({
        user_id: userId,
        name: input.name,
        prefix: token.slice(0, shownLength),
        token_hash: digest(token),
        permissions: [...new Set(input.permissions)],
        client_ids: [...new Set(input.client_ids)],
        expires_at: sql<string>`now() + make_interval(days => ${input.days})`,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    const { id, prefix, ...changes } = made
    await logChange(tx, actor, {
      clientId: installation,
      object: 'user',
      id: userId,
      action: 'create_token',
      changes: {
        name: [null, `${changes.name} (${prefix}…)`],
        permissions: [null, changes.permissions],
        client_ids: [null, changes.client_ids],
        expires_at: [null, changes.expires_at],
      },
    })
    return { ...made, token }
  })
}

/** Revokes a token of the user. Throws `not_found`. */
export function revokeApiToken(db: Db, actor: Actor, userId: number, id: number): Promise<void> {
  return transaction(db, async tx => {
    const ended = await tx
      .updateTable('api_token')
      .set({ revoked_at: new Date().toISOString() })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .returning(['name', 'prefix'])
      .executeTakeFirst()
    if (!ended) throw new EmmaError('not_found')
    await logChange(tx, actor, {
      clientId: installation,
      object: 'user',
      id: userId,
      action: 'revoke_token',
      changes: { name: [`${ended.name} (${ended.prefix}…)`, null] },
    })
  })
}

/** Revokes all tokens of a user, after a password reset. */
export async function revokeApiTokens(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ revoked_at: new Date().toISOString() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Reads the actor of an API token: its owner, limited to those of the token's permissions and clients that the owner
 * still has. Updates the last use, at most once a minute.
 * @throws EmmaError `token_invalid`, `token_expired`
 */
export async function readApiToken(db: Db, text: string, ip: string | null): Promise<Actor> {
  const statement = db
    .selectFrom('api_token')
    .innerJoin('app_user', 'app_user.id', 'api_token.user_id')
    .select(['api_token.id', 'user_id', 'permissions', 'client_ids', 'expires_at', 'last_used_at'])
    .where('token_hash', '=', digest(text))
    .where('revoked_at', 'is', null)
    .where('app_user.active', '=', true)
    .where('app_user.deleted_at', 'is', null)
  const [token] = await executePrepared(db, statement.compile())
  if (!token) throw new EmmaError('token_invalid')
  if (Date.parse(token.expires_at) <= Date.now()) throw new EmmaError('token_expired')
  if (token.last_used_at === null || Date.now() - Date.parse(token.last_used_at) > 60_000)
    await sql`update api_token set last_used_at = now(), last_used_ip = ${ip}::inet where id = ${token.id}`.execute(
      db,
    )
  const owner = await findPerson(db, token.user_id)
  const held = new Set<string>(owner.superadmin ? everyPermission : owner.permissions)
  const isBarred = owner.requiresSecondFactor && !owner.hasSecondFactor
  const clientIds = clientsOf(token.client_ids, owner)
  const active = activeClientOf(owner)
  const isActive = active !== null && (clientIds === 'all' || clientIds.includes(active))
  return {
    userId: owner.id,
    clientIds,
    clientId: isActive ? active : clientIds === 'all' ? null : (clientIds[0] ?? null),
    superadmin: false,
    administrator: false,
    permissions: new Set(
      isBarred ? [] : token.permissions.filter(permission => held.has(permission) && mayHold.has(permission)),
    ),
    trail: { ip, requestId: null, tokenId: token.id, viewRole: null, isLogged: false },
  }
}

const mayHold = new Set<string>(tokenPermissions)

function clientsOf(listed: number[], owner: Person): readonly number[] | 'all' {
  if (listed.length === 0) return owner.superadmin ? 'all' : owner.clients
  return owner.superadmin ? listed : listed.filter(client => owner.clients.includes(client))
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
