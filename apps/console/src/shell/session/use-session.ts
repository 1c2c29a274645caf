import type { Permission } from '@emma/contract/permissions.ts'
import { useSyncExternalStore } from 'react'
import { type SessionState, sessionStore } from './session-store.ts'

/** The current session state. */
export function useSession(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get)
}

/**
 * Id of the active client.
 *
 * @throws Error outside the main shell, where no client is set
 */
export function useClientId(): number {
  const { client } = useSession()
  if (!client) throw new Error('No client found!')
  return client.client_id
}

/** Permissions of which all, or any one, must be held. */
export type Demand = { all: readonly Permission[] } | { any: readonly Permission[] }

/** True if the user holds the permissions (R145, R146, R148). */
export function usePermission(demand: Demand): boolean {
  return holds(useSession(), demand)
}

/**
 * True if the session meets the demand. A superadmin holds everything, unless viewing as a role: then the token
 * contains the role's permissions.
 */
export function holds({ claims }: SessionState, demand: Demand): boolean {
  if (!claims) return false
  if (claims.sub.superadmin && claims.view_role === null) return true
  const held = new Set(claims.permissions)
  return 'all' in demand ? demand.all.every(one => held.has(one)) : demand.any.some(one => held.has(one))
}

/** True for an effective superadmin, i.e. not while viewing as a role. */
export function isSuperadmin({ claims }: SessionState): boolean {
  return claims !== null && claims.sub.superadmin && claims.view_role === null
}

/** True for an effective superadmin or administrator, i.e. not while viewing as a role. */
export function isAdministrator({ claims }: SessionState): boolean {
  return claims !== null && (claims.sub.superadmin || claims.sub.administrator) && claims.view_role === null
}
