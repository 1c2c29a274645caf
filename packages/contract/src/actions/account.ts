import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { email, id, instant, line, name, text } from '../fields.ts'
import { dueDocument } from '../legal-document.ts'
import { password } from '../resources/user.ts'
import { checkFault } from '../schema-faults.ts'

const token = z.object({ token: z.string() })

/** Requests per minute: limits guessing across many usernames. */
const guesses = 20

/**
 * Logs in with username and password, or renews a session with an empty body and a bearer token (R152). Users with a
 * second factor get `second_factor_required` and repeat the request with `code`: from the app, or a recovery code.
 */
export const login = defineAction({
  name: 'login',
  area: 'account',
  method: 'POST',
  reads: true,
  paths: ['/auth/login'],
  permission: 'public',
  perMinute: guesses,
  body: z
    .strictObject({
      username: line(254).optional(),
      password: text(200).optional(),
      code: line(40).optional(),
    })
    .nullish(),
  response: token,
})

/** Verifies the token; returns its claims with the current permissions (R153). */
export const verifyToken = defineAction({
  name: 'verifyToken',
  area: 'account',
  paths: ['/auth/token'],
  permission: null,
  response: z.looseObject({ sub: z.looseObject({ id }) }),
})

export const logout = defineAction({
  name: 'logout',
  area: 'account',
  method: 'POST',
  reads: true,
  paths: ['/auth/logout'],
  permission: null,
  response: z.object({ ok: z.literal(true) }),
})

/** Issues a token with a role's permissions instead of the user's own (superadmins; R148); `role_id` null ends it. */
export const viewAs = defineAction({
  name: 'viewAs',
  area: 'account',
  method: 'POST',
  paths: ['/auth/view-as'],
  permission: null,
  body: z.object({ role_id: id.nullable() }),
  response: token,
})

/**
 * Requests a password link. Always 202, whether the account exists or not (domain.md 2G). `is_mailed`: whether this
 * installation sends email at all; if not, the operator prints links (`emma user reset`).
 */
export const requestReset = defineAction({
  name: 'requestReset',
  area: 'account',
  method: 'POST',
  paths: ['/password-reset/'],
  permission: 'public',
  perMinute: guesses,
  body: z.object({ username: z.string().min(1, checkFault('field.required')).max(254) }),
  response: z.object({ ok: z.literal(true), is_mailed: z.boolean() }),
  status: 202,
})

export const resetPassword = defineAction({
  name: 'resetPassword',
  area: 'account',
  method: 'PUT',
  paths: ['/password-reset/'],
  permission: 'public',
  perMinute: guesses,
  body: z.object({ token: z.string().min(1).max(200), password }),
  response: z.object({ ok: z.literal(true) }),
})

const profile = z.object({
  username: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
})
const userParams = z.object({ id: z.coerce.number().int().positive() })
const settingsRow = z.object({ user_id: id, client_id: id, custom: z.record(z.string(), z.unknown()) })
const settingsPage = z.object({
  data: z.array(settingsRow),
  included: z.array(z.unknown()),
  pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  /** Documents that the active client has to confirm. */
  due_documents: z.array(dueDocument),
})

export const listUserSettings = defineAction({
  name: 'listUserSettings',
  area: 'account',
  paths: ['/user/{id}/settings/'],
  permission: null,
  query: z.looseObject({}),
  response: settingsPage,
})

/** Saves `{custom}` (R142); `client_id` makes that client the active one. */
export const saveUserSettings = defineAction({
  name: 'saveUserSettings',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/settings/'],
  permission: null,
  body: z.object({
    custom: z.record(z.string().max(100), z.json()).optional(),
    client_id: id.optional(),
  }),
  response: settingsPage,
})

/** Changes the user's own password; requires the current one. */
export const changePassword = defineAction({
  name: 'changePassword',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/password'],
  permission: null,
  body: z.object({ old_password: z.string().max(200), password }),
  response: token,
})

const sessionEntry = z.object({
  id: z.uuid(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  method: z.enum(['password', 'second_factor', 'oidc']),
  first_seen_at: instant,
  last_seen_at: instant,
  is_current: z.boolean(),
})

/** Open sessions of a user: the own ones, or those of others with the permission to change users. */
export const listSessions = defineAction({
  name: 'listSessions',
  area: 'account',
  paths: ['/user/{id}/session/'],
  permission: null,
  query: z.looseObject({}),
  response: z.object({ data: z.array(sessionEntry) }),
})

/** Revokes one session. */
export const endSession = defineAction({
  name: 'endSession',
  area: 'account',
  method: 'DELETE',
  paths: ['/user/{id}/session/{jti}'],
  permission: null,
  params: userParams.extend({ jti: z.uuid() }),
  response: z.object({ ok: z.literal(true) }),
})

/** Revokes all sessions of a user except the current one. */
export const endOtherSessions = defineAction({
  name: 'endOtherSessions',
  area: 'account',
  method: 'DELETE',
  paths: ['/user/{id}/session/'],
  permission: null,
  response: z.object({ ended: z.int() }),
})

/**
 * Saves the user's own names and email address. The address requires the password, as password links are sent there. If
 * the installation sends email, a new address is `pending_email` until its confirmation link is opened.
 */
export const saveProfile = defineAction({
  name: 'saveProfile',
  area: 'account',
  method: 'PUT',
  paths: ['/user/{id}/profile'],
  permission: null,
  perMinute: guesses,
  body: z.strictObject({
    firstname: name,
    lastname: name,
    email,
    old_password: z.string().max(200).nullish(),
  }),
  response: profile.extend({ pending_email: z.string().nullable() }),
})

/** Confirms a new address with the token of the mailed link; only for the user who requested it. */
export const confirmOwnEmail = defineAction({
  name: 'confirmOwnEmail',
  area: 'account',
  method: 'PUT',
  paths: ['/user/{id}/email'],
  permission: null,
  perMinute: guesses,
  body: z.strictObject({ token: z.string().min(1).max(2000) }),
  response: profile,
})

export const readProfile = defineAction({
  name: 'readProfile',
  area: 'account',
  paths: ['/user/{id}/profile'],
  permission: null,
  response: profile,
})
