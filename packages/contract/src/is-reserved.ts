import type { Resource } from './define-resource.ts'
import type { Method } from './permissions.ts'

/** Whether a method of a resource is restricted to superadmins, whatever permissions others have (T2). */
export function isReserved(
  { superadminOnly = false }: Pick<Resource, 'superadminOnly'>,
  method: Method,
): boolean {
  if (superadminOnly === 'writes') return method !== 'get'
  if (superadminOnly === 'existence') return method === 'post' || method === 'delete'
  return superadminOnly
}
