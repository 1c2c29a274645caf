import type { Resource } from '@emma/contract/define-resource.ts'
import { holds, isSuperadmin, useSession } from './use-session.ts'

export interface Rights {
  mayCreate: boolean
  mayChange: boolean
  mayDelete: boolean
}

/** What the person may do with the records of a resource. */
export function useRights({
  entity,
  superadminOnly = false,
}: Pick<Resource, 'entity' | 'superadminOnly'>): Rights {
  const session = useSession()
  const isLockedOut = superadminOnly !== false && !isSuperadmin(session)
  const may = (method: 'post' | 'patch' | 'delete') =>
    !isLockedOut && holds(session, { all: [`${entity}:${method}`] })
  return { mayCreate: may('post'), mayChange: may('patch'), mayDelete: may('delete') }
}
