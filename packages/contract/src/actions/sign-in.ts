import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { line } from '../fields.ts'

const attempts = 30

/** Can one sign in with a provider here, and what does its button say? */
export const readSignIn = defineAction({
  name: 'readSignIn',
  area: 'account',
  paths: ['/auth/provider'],
  permission: 'public',
  response: z.object({ name: z.string().nullable() }),
})

/** Where the browser goes to sign in (OpenID Connect, authorization code with PKCE). Sets a cookie for the way back. */
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
 * With what the provider sent along to the login screen (`code=…&state=…`). Who has a second factor here is asked for it
 * (`second_factor_required`), unless the provider's is trusted, and comes again with `code` alone, in the same browser.
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
