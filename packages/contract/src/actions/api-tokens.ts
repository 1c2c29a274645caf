import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, name } from '../fields.ts'
import { tokenPermissions } from '../permissions.ts'
import { checkFault } from '../schema-faults.ts'

/** Prefix of every API token, by which secret scanners find it. */
export const tokenPrefix = 'emma_'

/** Maximum lifetime of an API token in days. */
const longestTokenDays = 366

const held = new Set<string>(tokenPermissions)
const params = z.object({ id: z.coerce.number().int().positive() })

const apiToken = z.object({
  id,
  name: z.string(),
  /** Visible first characters, which identify the token. */
  prefix: z.string(),
  permissions: z.array(z.string()),
  client_ids: z.array(id),
  created_at: instant,
  expires_at: instant,
  last_used_at: instant.nullable(),
  last_used_ip: z.string().nullable(),
})

/** Valid API tokens of a user: the own ones, or those of others with the permission to change users. */
export const listApiTokens = defineAction({
  name: 'listApiTokens',
  area: 'account',
  paths: ['/user/{id}/token/'],
  permission: null,
  query: z.looseObject({}),
  response: z.object({ data: z.array(apiToken) }),
})

/** Creates an API token for the user. `token` is shown once. `client_ids` empty: all clients of the user. */
export const createApiToken = defineAction({
  name: 'createApiToken',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/token/'],
  permission: null,
  body: z.strictObject({
    name,
    permissions: z
      .array(z.string().refine(permission => held.has(permission), checkFault('field.token_permission')))
      .min(1, checkFault('field.required'))
      .max(1000),
    client_ids: z.array(id).max(1000).default([]),
    days: z.int().min(1).max(longestTokenDays),
  }),
  response: apiToken.extend({ token: z.string() }),
  status: 201,
})

/** Revokes a token. */
export const revokeApiToken = defineAction({
  name: 'revokeApiToken',
  area: 'account',
  method: 'DELETE',
  paths: ['/user/{id}/token/{token_id}'],
  permission: null,
  params: params.extend({ token_id: z.coerce.number().int().positive() }),
  response: z.object({ ok: z.literal(true) }),
})
