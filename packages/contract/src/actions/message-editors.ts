import { z } from 'zod'
import { defineAction } from '../define-action.ts'

/** Time in ms between the reports of a window, and until one that is silent counts as closed. */
export const editorTimes = { report: 20_000, silence: 90_000 } as const

const editor = z.object({
  user_id: z.int(),
  name: z.string(),
  opened_at: z.string(),
  /** Another window of the caller. */
  is_self: z.boolean(),
})

/** Reports that a window has a template open for editing, or has closed it; returns the other windows that have. */
export const reportEditor = defineAction({
  name: 'reportEditor',
  area: 'content',
  method: 'POST',
  paths: ['/v2/emma/client/{client_id}/message/{id}/editors'],
  permission: 'EmmaMessage:patch',
  unlogged: true,
  body: z.object({ window_id: z.uuid(), closes: z.boolean().default(false) }),
  response: z.object({ others: z.array(editor) }),
})
