import type { Action } from '@emma/contract/define-action.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { ListQuery } from './list-query.ts'

type NamedResource = Pick<Resource, 'name'>
type NamedAction = Pick<Action, 'name'>

/** Query keys of a resource begin with its name, so that one invalidation covers lists and records. */
export const queryKeys = {
  all: (resource: NamedResource) => [resource.name] as const,
  lists: (resource: NamedResource) => [resource.name, 'list'] as const,
  list: (resource: NamedResource, query: ListQuery) => [resource.name, 'list', query] as const,
  record: (resource: NamedResource, id: number | string) => [resource.name, 'record', String(id)] as const,
  action: (action: NamedAction, input: unknown = null) => ['action', action.name, input] as const,
}
