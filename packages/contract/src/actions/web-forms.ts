import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { queryId } from '../fields.ts'

/** Figures of a web form by day (UTC), oldest first; days without any are missing. */
export const webformFigures = defineAction({
  name: 'webformFigures',
  area: 'audience',
  paths: ['/webform/{id}/figures'],
  permission: 'WebForms:get',
  params: z.object({ id: queryId }),
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
  response: z.object({
    data: z.array(
      z.object({
        day: z.string(),
        views: z.int(),
        starts: z.int(),
        submissions: z.int(),
        confirmed: z.int(),
      }),
    ),
  }),
})
