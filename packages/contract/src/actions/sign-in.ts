import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { line } from '../fields.ts'

const attempts = 30

/** Name of the single sign-on provider for its button; null when there is none. */
export const readSignIn = defineAction({
  name: 'readSignIn',
  area: 'account',
  paths: ['/auth/provider'],
  permission: 'public',
  response: z.object({ name: z.string().nullable() }),
})

/**
 * Starts single sign-on (OpenID Connect, authorization code with PKCE): returns the provider's URL and sets a cookie
 * for the callback.
 */
export const beginSignIn = defineAction({
  name: 'beginSignIn',
  area: 'account',
  method: 'POST',
  paths: ['/auth/provider'],
  permission: 'public',
  perMinute: attempts,
  response: z.object({ url: z.string() }),
})

/**
 * Finishes single sign-on with the query that the provider sent to the login screen (`code=…&state=…`). Users with a
 * second factor here get `second_factor_required`, unless the provider's is trusted, and repeat the request with only
 * `code`, in the same browser.
 */
export const finishSignIn = defineAction({
  name: 'finishSignIn',
  area: 'account',
  method: 'PUT',
  paths: ['/auth/provider'],
  permission: 'public',
  perMinute: attempts,
  body: z.strictObject({ answer: line(8000).optional(), code: line(40).optional() }),
  response: z.object({ token: z.string() }),
})
