import type { Resource } from '@emma/contract/define-resource.ts'
import { isReserved } from '@emma/contract/is-reserved.ts'
import { holds, isSuperadmin, useSession } from './use-session.ts'

export interface Rights {
  mayCreate: boolean
  mayChange: boolean
  mayDelete: boolean
}

/** What the user may do with the records of a resource. */
export function useRights(resource: Pick<Resource, 'entity' | 'superadminOnly'>): Rights {
  const session = useSession()
  const may = (method: 'post' | 'patch' | 'delete') =>
    holds(session, { all: [`${resource.entity}:${method}`] }) &&
    (isSuperadmin(session) || !isReserved(resource, method))
  return { mayCreate: may('post'), mayChange: may('patch'), mayDelete: may('delete') }
}
