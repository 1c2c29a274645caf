import { actions } from '@emma/contract/action-list.ts'
import type { Action } from '@emma/contract/define-action.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { isReserved } from '@emma/contract/is-reserved.ts'
import type { Permission } from '@emma/contract/permissions.ts'
import { resources } from '@emma/contract/resource-list.ts'
import type { TestClient } from './fixtures.ts'

/** A route of the API with its access rules from the contract, for every resource and action. */
export interface TestRoute {
  title: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Record type of `{record_id}` and `{id}`. */
  of: string
  permission: Permission | null | 'public'
  alsoNeeds: readonly Permission[]
  superadminOnly: boolean
  /** Changes nothing. */
  reads: boolean
  resource: Resource | null
  action: Action | null
}

const rights = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'patch', DELETE: 'delete' } as const

const owners: Partial<Record<string, string>> = {
  report: 'campaign',
  download: 'campaign',
  'scd-rule:undo': 'scd_rule',
  'esp-login': 'esp_login',
  'compare-reports': 'reportinggroup',
  mtastats: 'campaign',
  salesview: 'campaign',
  result: 'ipci_result',
}

export const testRoutes: readonly TestRoute[] = [
  ...resources.flatMap(resource => resource.paths.flatMap(path => routesOf(resource, path))),
  ...actions.flatMap(action => action.paths.map(path => routeOf(action, path))),
]

/** The path with the keys of the client's own records. */
export function fillPath({ path, of }: TestRoute, { clientId, ids }: TestClient): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    switch (name) {
      case 'client_id':
        return String(clientId)
      case 'campaign_id':
        return String(ids.campaign)
      case 'recurring_id':
        return String(ids.recurring)
      case 'member_table_id':
        return String(ids.membertable)
      case 'member_id':
        return String(ids.member)
      case 'mail_id':
        return String(ids.transactional_mail ?? 1)
      case 'message_id':
        return String(ids.webhook_message ?? 1)
      case 'id':
      case 'record_id':
        return String(ids[of] ?? 1)
      case 'action':
        return 'copy'
      case 'type':
        return 'overview'
      case 'endpoint':
        return 'sqltemplate'
      case 'language':
        return 'en'
      default:
        return '1'
    }
  })
}

function routesOf(resource: Resource, path: string): TestRoute[] {
  const common = { of: resource.name, alsoNeeds: [], resource, action: null }
  const kinds = [
    ['GET', path],
    ['GET', `${path}{record_id}`],
    ['POST', path],
    ['PATCH', `${path}{record_id}`],
    ['PUT', `${path}{record_id}`],
    ['DELETE', `${path}{record_id}`],
    ...(resource.deletedForEver ? [] : [['POST', `${path}{record_id}/restore`, 'delete'] as const]),
  ] as const
  return kinds.map(([method, url, right = rights[method]]) => ({
    ...common,
    title: `${method} ${url}`,
    method,
    path: url,
    permission: `${resource.entity}:${right}` as const,
    superadminOnly: isReserved(resource, right),
    reads: method === 'GET',
  }))
}

function routeOf(action: Action, path: string): TestRoute {
  const { method, permission, alsoNeeds = [], superadminOnly = false, reads } = action
  return {
    title: `${method} ${path}`,
    method,
    path,
    of: ownerOf(path),
    permission,
    alsoNeeds,
    superadminOnly,
    reads: method === 'GET' || reads === true,
    resource: null,
    action,
  }
}

/** `/emma/report/{id}/recipients` → campaign. */
function ownerOf(path: string): string {
  const before = path.slice(0, path.indexOf('{id}')).split('/').filter(Boolean).at(-1) ?? ''
  return owners[before] ?? before
}
