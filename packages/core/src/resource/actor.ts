import { EmmaError } from '@emma/contract/errors.ts'
import { id } from '@emma/contract/fields.ts'
import type { Permission } from '@emma/contract/permissions.ts'

/** Who acts: a logged-in person, or EMMA itself (`system`, for jobs). Made once a request, from the session. */
export interface Actor {
  userId: number | null
  /** Clients the actor may see; `'all'` for superadmins and the system. */
  clientIds: readonly number[] | 'all'
  /** The client the actor works in: new rows go there, lists show it. */
  clientId: number | null
  superadmin: boolean
  administrator: boolean
  permissions: ReadonlySet<string>
  /** Of a call from outside; EMMA itself has none. */
  trail?: AuditContext
}

/** What the audit log keeps of a call besides the person. `isLogged`: an entry of the call has been written. */
export interface AuditContext {
  ip: string | null
  requestId: string | null
  /** The API token that was used instead of a session. */
  tokenId: number | null
  /** The role through whose eyes the person works (R148). */
  viewRole: number | null
  isLogged: boolean
}

/** Which rows of tenant tables a statement may see: a required argument of every read and write. */
export interface TenantScope {
  clientIds: readonly number[] | 'all'
}

/** Everything the actor may reach: for access to one record by key. */
export function accessibleClients(actor: Actor): TenantScope {
  return { clientIds: actor.clientIds }
}

/** One client. Throws EmmaError `not_found` when the actor has no business there. */
export function scopeOf(actor: Actor, clientId: number): TenantScope {
  if (!canAccessClient(actor, clientId)) throw new EmmaError('not_found')
  return { clientIds: [clientId] }
}

/** The client new rows go to: the one asked for, else the active one. Throws `not_found` for a foreign one. */
export function ownClient(actor: Actor, wanted?: number | null): number {
  const clientId = wanted ?? actor.clientId
  if (clientId === null || clientId === undefined) throw new EmmaError('bad_request', 'No client_id found!')
  if (!canAccessClient(actor, clientId)) throw new EmmaError('not_found')
  return clientId
}

export function canAccessClient(actor: Actor, clientId: number): boolean {
  return actor.clientIds === 'all' ? id.safeParse(clientId).success : actor.clientIds.includes(clientId)
}

/** R145, R146. A superadmin who views as a role carries that role's permissions and `superadmin: false`. */
export function can(actor: Actor, permission: Permission): boolean {
  return actor.superadmin || actor.permissions.has(permission)
}

/** EMMA acting by itself, in one client. */
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
