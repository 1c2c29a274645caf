import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, line, text } from '../fields.ts'
import { password } from '../resources/user.ts'
import { permissions } from '../permissions.ts'

const nothing = z.object({})
const token = z.object({ token: z.string() })

/** Guessing is slow for whoever tries many names as well. */
const guesses = 20

/** Username and password, or an empty body with a bearer token to renew (R152). */
export const login = defineAction({
  name: 'login',
  area: 'account',
  method: 'POST',
  paths: ['/auth/login'],
  permission: 'public',
  perMinute: guesses,
  params: nothing,
  query: nothing,
  body: z.strictObject({ username: line(254).optional(), password: text(200).optional() }).nullish(),
  response: token,
})

/** Verifies the token; answers its claims (R153). */
export const verifyToken = defineAction({
  name: 'verifyToken',
  area: 'account',
  method: 'GET',
  paths: ['/auth/token'],
  permission: null,
  params: nothing,
  query: nothing,
  body: z.unknown(),
  response: z.looseObject({ sub: z.looseObject({ id }) }),
})

export const logout = defineAction({
  name: 'logout',
  area: 'account',
  method: 'POST',
  paths: ['/auth/logout'],
  permission: null,
  params: nothing,
  query: nothing,
  body: z.unknown(),
  response: z.object({ ok: z.literal(true) }),
})

/** A token with a role's rights instead of the own (superadmins; R148); `role_id` null ends it. */
export const viewAs = defineAction({
  name: 'viewAs',
  area: 'account',
  method: 'POST',
  paths: ['/auth/view-as'],
  permission: null,
  params: nothing,
  query: nothing,
  body: z.object({ role_id: id.nullable() }),
  response: token,
})

/** Always 202, whoever asks for whom (domain.md 2G). */
export const requestReset = defineAction({
  name: 'requestReset',
  area: 'account',
  method: 'POST',
  paths: ['/password-reset/'],
  permission: 'public',
  perMinute: guesses,
  params: nothing,
  query: nothing,
  body: z.object({ username: z.string().min(1, 'is required').max(254) }),
  response: z.object({ ok: z.literal(true) }),
})

export const resetPassword = defineAction({
  name: 'resetPassword',
  area: 'account',
  method: 'PUT',
  paths: ['/password-reset/'],
  permission: 'public',
  perMinute: guesses,
  params: nothing,
  query: nothing,
  body: z.object({ token: z.string().min(1).max(200), password }),
  response: z.object({ ok: z.literal(true) }),
})

const userParams = z.object({ id: z.coerce.number().int().positive() })
const settingsRow = z.object({ user_id: id, client_id: id, custom: z.record(z.string(), z.unknown()) })
const settingsPage = z.object({
  data: z.array(settingsRow),
  included: z.array(z.unknown()),
  pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
})

export const listUserSettings = defineAction({
  name: 'listUserSettings',
  area: 'account',
  method: 'GET',
  paths: ['/user/{id}/settings/'],
  permission: null,
  params: userParams,
  query: z.looseObject({}),
  body: z.unknown(),
  response: settingsPage,
})

/** `{custom}` (R142); `client_id` makes that client the active one. */
export const saveUserSettings = defineAction({
  name: 'saveUserSettings',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/settings/'],
  permission: null,
  params: userParams,
  query: nothing,
  body: z.object({
    custom: z.record(z.string().max(100), z.json()).optional(),
    client_id: id.optional(),
  }),
  response: settingsPage,
})

/** The own password: the old one proves who asks. */
export const changePassword = defineAction({
  name: 'changePassword',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/password'],
  permission: null,
  params: userParams,
  query: nothing,
  body: z.object({ old_password: z.string().max(200), password }),
  response: token,
})

/** Clears lockout and sessions (R227). */
export const unstuckUser = defineAction({
  name: 'unstuckUser',
  area: 'platform',
  method: 'POST',
  paths: ['/user:unstuck/{id}'],
  permission: 'User:patch',
  params: userParams,
  query: nothing,
  body: z.unknown(),
  response: z.object({ ok: z.literal(true) }),
})

export const listPermissions = defineAction({
  name: 'listPermissions',
  area: 'platform',
  method: 'GET',
  paths: ['/permission/'],
  permission: null,
  params: nothing,
  query: z.looseObject({}),
  body: z.unknown(),
  response: z.object({
    data: z.array(z.object({ name: z.enum(permissions as [string, ...string[]]) })),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})
