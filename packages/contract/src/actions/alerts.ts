import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { id, instant, queryId } from '../fields.ts'

/**
 * `pending`: to be sent. `kept`: an SMS that stays here, as the installation has no gateway. `failed`: see `error`.
 */
export const alertMessageStates = ['pending', 'sent', 'kept', 'failed'] as const

const message = z.object({
  message_id: id,
  channel: z.enum(['email', 'sms']),
  recipient: z.string(),
  kind: z.enum(['firing', 'resolved', 'test']),
  value: z.number().nullable(),
  /** Names of what it is about: campaigns, domains, imports. */
  subjects: z.array(z.string()),
  state: z.enum(alertMessageStates),
  attempts: z.int(),
  /** Of the last attempt. English, or a reply of the server. */
  error: z.string().nullable(),
  created_at: instant,
  settled_at: instant.nullable(),
})
export type AlertMessage = z.infer<typeof message>

const base = { area: 'deliverability', params: z.object({ id: queryId }) } as const

/** Messages of an alert, newest first; stored for 90 days. */
export const listAlertMessages = defineAction({
  ...base,
  name: 'listAlertMessages',
  paths: ['/alert/{id}/message/'],
  permission: 'Alerts:get',
  query: z.object({
    limit: z.coerce.number().int().min(0).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
    state: z.enum(alertMessageStates).optional(),
  }),
  response: z.object({
    data: z.array(message),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/** Sends a message to the addresses of an alert as if it fired. Returns how many were queued. */
export const testAlert = defineAction({
  ...base,
  name: 'testAlert',
  method: 'POST',
  paths: ['/alert/{id}/test'],
  permission: 'Alerts:patch',
  perMinute: 5,
  body: z.unknown(),
  response: z.object({ queued: z.int() }),
})
