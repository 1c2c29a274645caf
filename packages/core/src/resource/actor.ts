import { EmmaError } from '@emma/contract/errors.ts'
import { id } from '@emma/contract/fields.ts'
import type { Permission } from '@emma/contract/permissions.ts'
import { fault } from '@emma/contract/faults.ts'

/**
 * Who performs an operation: a logged-in user, or EMMA itself (`system`, for jobs). Created once per request, from the
 * session.
 */
export interface Actor {
  userId: number | null
  /** Accessible clients; `'all'` for superadmins and the system. */
  clientIds: readonly number[] | 'all'
  /** The active client: new rows belong to it, lists show it. */
  clientId: number | null
  superadmin: boolean
  administrator: boolean
  permissions: ReadonlySet<string>
  /** Only for requests; EMMA itself has none. */
  trail?: AuditContext
}

/** Data of a request for the audit log. `isLogged`: an entry of the request has been written. */
export interface AuditContext {
  ip: string | null
  requestId: string | null
  /** API token that was used instead of a session. */
  tokenId: number | null
  /** Role that the user views as (R148). */
  viewRole: number | null
  isLogged: boolean
}

/** Clients whose rows a statement may access: a required argument of every read and write. */
export interface TenantScope {
  clientIds: readonly number[] | 'all'
}

/** All accessible clients: for access to one record by key. */
export function accessibleClients(actor: Actor): TenantScope {
  return { clientIds: actor.clientIds }
}

/** Scope of one client. Throws EmmaError `not_found` when the actor has no access to it. */
export function scopeOf(actor: Actor, clientId: number): TenantScope {
  if (!canAccessClient(actor, clientId)) throw new EmmaError('not_found')
  return { clientIds: [clientId] }
}

/**
 * Client of new rows: the requested one, else the active one. Throws `not_found` for an inaccessible one, `bad_request`
 * without any.
 */
export function ownClient(actor: Actor, wanted?: number | null): number {
  const clientId = wanted ?? actor.clientId
  if (clientId === null || clientId === undefined)
    throw new EmmaError('bad_request', fault('refusal.no_client'))
  if (!canAccessClient(actor, clientId)) throw new EmmaError('not_found')
  return clientId
}

export function canAccessClient(actor: Actor, clientId: number): boolean {
  return actor.clientIds === 'all' ? id.safeParse(clientId).success : actor.clientIds.includes(clientId)
}

/** R145, R146. A superadmin viewing as a role has that role's permissions and `superadmin: false`. */
export function can(actor: Actor, permission: Permission): boolean {
  return actor.superadmin || actor.permissions.has(permission)
}

/** EMMA itself, acting in one client. */
export function systemActor(clientId: number): Actor {
  return {
    userId: null,
    clientIds: [clientId],
    clientId,
    superadmin: false,
    administrator: false,
    permissions: new Set(),
  }
}
