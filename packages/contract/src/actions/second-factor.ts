import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { line } from '../fields.ts'

const password = z.string().max(200)
/** Requests per minute: limits guessing of codes. */
const guesses = 20

export const readSecondFactor = defineAction({
  name: 'readSecondFactor',
  area: 'account',
  paths: ['/user/{id}/second-factor'],
  permission: null,
  response: z.object({
    since: z.string().nullable(),
    recovery_codes: z.int(),
    is_required: z.boolean(),
  }),
})

/**
 * Starts the setup: returns the key for the app, also as a picture (SVG). Logins do not require it until it is
 * confirmed.
 */
export const beginSecondFactor = defineAction({
  name: 'beginSecondFactor',
  area: 'account',
  method: 'POST',
  paths: ['/user/{id}/second-factor'],
  permission: null,
  perMinute: guesses,
  body: z.strictObject({ old_password: password }),
  response: z.object({ key: z.string(), address: z.string(), picture: z.string() }),
})

/**
 * Confirms with a code that the app has the key; logins require the second factor from now on. Returns the recovery
 * codes.
 */
export const confirmSecondFactor = defineAction({
  name: 'confirmSecondFactor',
  area: 'account',
  method: 'PUT',
  paths: ['/user/{id}/second-factor'],
  permission: null,
  perMinute: guesses,
  body: z.strictObject({ code: line(40) }),
  response: z.object({ recovery_codes: z.array(z.string()), token: z.string() }),
})

/** Disables the second factor; requires password and code. */
export const removeSecondFactor = defineAction({
  name: 'removeSecondFactor',
  area: 'account',
  method: 'DELETE',
  paths: ['/user/{id}/second-factor'],
  permission: null,
  perMinute: guesses,
  body: z.strictObject({ old_password: password, code: line(40) }),
  response: z.object({ token: z.string() }),
})
