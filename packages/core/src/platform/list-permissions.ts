import { entities, type Entity, type Method, methods, type Permission } from '@emma/contract/permissions.ts'
import type { Db } from '@emma/db/connection.ts'
import { type Actor, can, accessibleClients } from '../resource/actor.ts'
import { roleOperations } from './role-operations.ts'

interface PermissionQuery {
  limit: number
  offset: number
  search?: string | undefined
  /** Omitted: all. */
  entities?: readonly Entity[] | undefined
  method?: Method | undefined
}

interface PermissionRow {
  name: Permission
  entity: Entity
  method: Method
  /** Roles that the actor may see. */
  roles: { id: number; name: string }[]
}

/** A page of all permissions (R230), each with the roles that have it. */
export async function listPermissions(
  db: Db,
  actor: Actor,
  query: PermissionQuery,
): Promise<{ data: PermissionRow[]; total: number }> {
  const needle = query.search?.trim().toLowerCase() ?? ''
  const all = entities
    .filter(entity => query.entities?.includes(entity) ?? true)
    .flatMap(entity =>
      methods
        .filter(method => query.method === undefined || method === query.method)
        .map(method => ({ name: `${entity}:${method}` as const, entity, method })),
    )
    .filter(({ name }) => name.toLowerCase().includes(needle))
  const roles = await readRoles(db, actor)
  const page = all.slice(query.offset, query.offset + query.limit)
  return {
    data: page.map(right => ({
      ...right,
      roles: roles.filter(role => role.permissions.has(right.name)).map(({ id, name }) => ({ id, name })),
    })),
    total: all.length,
  }
}

async function readRoles(db: Db, actor: Actor) {
  if (!can(actor, 'Role:get')) return []
  const { data } = await roleOperations.list(db, actor, accessibleClients(actor), {
    limit: 1000,
    offset: 0,
    search: null,
    sort: { field: 'name', descending: false },
    filters: {},
    included: [],
    superadminview: false,
  })
  return data.map(({ id, name, permissions }) => ({
    id: Number(id),
    name: String(name),
    permissions: new Set<unknown>(Array.isArray(permissions) ? permissions : []),
  }))
}
