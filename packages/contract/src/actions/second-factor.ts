import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { line } from '../fields.ts'

const password = z.string().max(200)
/** Guessing six digits is slow for whoever tries. */
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

/** Begins the set-up: the key for the app, as a picture (SVG) too. Nothing is asked for before it is confirmed. */
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

/** A code of the app shows that it has the key: from now on the second factor is asked for. Shows the recovery codes. */
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

/** Ends the second factor, with password and a code. */
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
