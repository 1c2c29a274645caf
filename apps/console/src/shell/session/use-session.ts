import type { Permission } from '@emma/contract/permissions.ts'
import { useSyncExternalStore } from 'react'
import { type SessionState, sessionStore } from './session-store.ts'

/** The session of the person at work. */
export function useSession(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get)
}

/**
 * The active client's id.
 *
 * @throws Error outside the main shell, where no client is known.
 */
export function useClientId(): number {
  const { client } = useSession()
  if (!client) throw new Error('No client found!')
  return client.client_id
}

/** Rights of which all, or any one, must be held. */
export type Demand = { all: readonly Permission[] } | { any: readonly Permission[] }

/** Does the person hold these rights? (R145, R146, R148) */
export function usePermission(demand: Demand): boolean {
  return holds(useSession(), demand)
}

/** A superadmin holds everything, unless viewing as a role: then the token's rights are the role's. */
export function holds({ claims }: SessionState, demand: Demand): boolean {
  if (!claims) return false
  if (claims.sub.superadmin && claims.view_role === null) return true
  const held = new Set(claims.permissions)
  return 'all' in demand ? demand.all.every(one => held.has(one)) : demand.any.some(one => held.has(one))
}

/** Superadmin in effect: not while viewing as a role. */
export function isSuperadmin({ claims }: SessionState): boolean {
  return claims !== null && claims.sub.superadmin && claims.view_role === null
}
