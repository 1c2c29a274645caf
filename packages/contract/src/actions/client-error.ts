import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { text } from '../fields.ts'

/** Where the console reports its errors: a Sentry project, or (`null`) this server's log (R021). */
export const errorReporting = defineAction({
  name: 'errorReporting',
  area: 'platform',
  paths: ['/client-error'],
  permission: 'public',
  response: z.object({ dsn: z.string().nullable() }),
})

/** Reports an unexpected error of a browser. Public, hence limited in rate and length. */
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
    /** Path of the screen without query, which may contain secrets. */
    path: text(500),
  }),
  response: z.object({ ok: z.literal(true) }),
})
