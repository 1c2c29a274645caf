import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, queryText } from '../fields.ts'
import { entities, isPermission, methods } from '../permissions.ts'
import { checkFault } from '../schema-faults.ts'

const done = z.object({ ok: z.literal(true) })
const byId = z.object({ id: z.coerce.number().int().positive() })

/** Removes what blocks a user: lockout, sessions, hanging imports (R227). */
export const unstuckUser = defineAction({
  name: 'unstuckUser',
  area: 'platform',
  method: 'POST',
  paths: ['/user:unstuck/{id}'],
  permission: 'User:patch',
  response: z.object({ ok: z.literal(true), sessions: z.int(), jobs: z.int() }),
})

const severalEntities = z.preprocess(
  value => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(z.enum(entities)).optional(),
)

export const permissionPage = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      entity: z.enum(entities),
      method: z.enum(methods),
      roles: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  ),
  included: z.array(z.unknown()),
  pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
})

/** All permissions (R230), `Entity:method`; with the roles that have each, for users who may see roles. */
export const listPermissions = defineAction({
  name: 'listPermissions',
  area: 'platform',
  paths: ['/permission/'],
  permission: null,
  query: z.object({
    limit: z.coerce.number().int().min(0).max(1000).default(1000),
    offset: z.coerce.number().int().min(0).max(10_000).default(0),
    search: queryText.optional(),
    entity: severalEntities,
    'entity[]': severalEntities,
    method: z.enum(methods).optional(),
  }),
  response: permissionPage,
})

/** Mails a link to set a password: valid for 7 days, single use. Invalidates earlier ones. */
export const inviteUser = defineAction({
  name: 'inviteUser',
  area: 'platform',
  method: 'POST',
  paths: ['/user:invite/{id}'],
  permission: 'User:patch',
  response: done,
})

/** Removes the second factor of a user who has lost it. */
export const removeSecondFactorOf = defineAction({
  name: 'removeSecondFactorOf',
  area: 'platform',
  method: 'DELETE',
  paths: ['/user:second-factor/{id}'],
  permission: 'User:patch',
  response: done,
})

const userClient = z.object({ user_id: id, client_id: id })
const userClientParams = byId.extend({ client_id: z.coerce.number().int().positive() })

/** Whether a user has access to a client (R226). */
export const readUserClient = defineAction({
  name: 'readUserClient',
  area: 'platform',
  paths: ['/user/{id}/client/{client_id}/'],
  permission: 'User:get',
  params: userClientParams,
  response: userClient,
})

/** Gives a user access to a client (R226). */
export const addUserClient = defineAction({
  name: 'addUserClient',
  area: 'platform',
  method: 'POST',
  paths: ['/user/{id}/client/{client_id}/'],
  permission: 'User:patch',
  params: userClientParams,
  response: userClient,
})

/** Removes a user's access to a client (R226). */
export const removeUserClient = defineAction({
  name: 'removeUserClient',
  area: 'platform',
  method: 'DELETE',
  paths: ['/user/{id}/client/{client_id}/'],
  permission: 'User:patch',
  params: userClientParams,
  response: done,
})

const rolePermissions = z.object({ permissions: z.array(z.string()) })

/** Permissions of a role (R229). */
export const readRolePermissions = defineAction({
  name: 'readRolePermissions',
  area: 'platform',
  paths: ['/role/{id}/permission'],
  permission: 'Role:get',
  query: z.looseObject({}),
  response: rolePermissions,
})

/** Replaces the permissions of a role (R229). */
export const saveRolePermissions = defineAction({
  name: 'saveRolePermissions',
  area: 'platform',
  method: 'PUT',
  paths: ['/role/{id}/permission'],
  permission: 'Role:patch',
  superadminOnly: true,
  body: z.strictObject({
    permissions: z.array(z.string().refine(isPermission, checkFault('field.permission'))).max(1000),
  }),
  response: rolePermissions,
})
