import { z } from 'zod'
import { defineAction } from '../define-action.ts'

/** Beefree's editor for templates and rows; only with credentials (actions/system-settings.ts). */

/** A token for the active client (R301), reused until it expires. The credentials stay on the server. */
export const readBeefreeToken = defineAction({
  name: 'readBeefreeToken',
  area: 'content',
  paths: ['/beeplugin/auth/'],
  permission: 'BeePluginAuth:get',
  response: z.object({
    access_token: z.string(),
    /** ISO 8601. */
    expires: z.string(),
    v2: z.boolean(),
  }),
})
