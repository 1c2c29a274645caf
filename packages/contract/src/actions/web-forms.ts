import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { queryId } from '../fields.ts'
import { languages } from '../resources/client.ts'

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

/** Consent texts of a web form by version, newest first. `confirmed`: submissions that subscribed somebody. */
export const webformConsents = defineAction({
  name: 'webformConsents',
  area: 'audience',
  paths: ['/webform/{id}/consents'],
  permission: 'WebForms:get',
  params: z.object({ id: queryId }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(20),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  response: z.object({
    data: z.array(
      z.object({
        version: z.int(),
        consent: z.partialRecord(z.enum(languages), z.string()),
        created_at: z.string(),
        submissions: z.int(),
        confirmed: z.int(),
      }),
    ),
    total: z.int(),
  }),
})
