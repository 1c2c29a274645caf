import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { text } from '../fields.ts'

/** Where the console reports what broke in it: a Sentry project, or (`null`) this server's log (R021). */
export const errorReporting = defineAction({
  name: 'errorReporting',
  area: 'platform',
  paths: ['/client-error'],
  permission: 'public',
  response: z.object({ dsn: z.string().nullable() }),
})

/** An error nobody expected, from a browser. Anybody may send one, so there are few a minute and each is short. */
export const reportClientError = defineAction({
  name: 'reportClientError',
  area: 'platform',
  method: 'POST',
  paths: ['/client-error'],
  permission: 'public',
  perMinute: 30,
  body: z.strictObject({
    message: text(1000),
    stack: text(8000),
    /** Path of the screen, without its query, which may hold secrets. */
    path: text(500),
  }),
  response: z.object({ ok: z.literal(true) }),
})
