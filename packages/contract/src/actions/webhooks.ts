import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { flag, id, instant, queryId } from '../fields.ts'

const one = z.object({ id: queryId })
const nothing = z.object({})
const base = { area: 'platform', evicts: ['webhook'] } as const

export const webhookMessageStates = ['pending', 'delivered', 'failed'] as const

const attempt = z.object({
  started_at: instant,
  duration_ms: z.int(),
  /** HTTP status of the response, null when there was none. */
  status: z.int().nullable(),
  /** Why there was no response: `timeout`, `refused_address`, `unresolved`, `refused`, `tls`, `broken`. */
  error: z.string().nullable(),
  /** First characters of the response. Untrusted: show it as text, never as markup. */
  answer: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof attempt>

const messageRow = z.object({
  message_id: id,
  /** Value of the header `webhook-id`: the same for all attempts and replays. */
  uid: z.string(),
  types: z.array(z.string()),
  event_count: z.int(),
  state: z.enum(webhookMessageStates),
  attempts: z.int(),
  /** Time of the next attempt, for a pending call. */
  next_at: instant,
  created_at: instant,
  settled_at: instant.nullable(),
  /** Latest attempt. */
  last: attempt.nullable(),
})
export type WebhookMessageRow = z.infer<typeof messageRow>

/** Calls of a webhook, newest first; stored for 14 days. */
export const listWebhookMessages = defineAction({
  ...base,
  name: 'listWebhookMessages',
  method: 'GET',
  paths: ['/emma/webhook/{id}/message/'],
  permission: 'Webhook:get',
  params: one,
  query: z.object({
    limit: z.coerce.number().int().min(0).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
    state: z.enum(webhookMessageStates).optional(),
  }),
  body: z.unknown(),
  response: z.object({
    data: z.array(messageRow),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/** One call with its events and all attempts. */
export const findWebhookMessage = defineAction({
  ...base,
  name: 'findWebhookMessage',
  method: 'GET',
  paths: ['/emma/webhook/{id}/message/{message_id}'],
  permission: 'Webhook:get',
  alsoNeeds: ['EmmaMember:get'],
  params: one.extend({ message_id: queryId }),
  query: nothing,
  body: z.unknown(),
  response: messageRow.extend({
    events: z.array(z.looseObject({ id: z.string(), type: z.string(), timestamp: z.string() })),
    log: z.array(attempt),
  }),
})

/** Repeats a call with the same `webhook-id`. */
export const replayWebhookMessage = defineAction({
  ...base,
  name: 'replayWebhookMessage',
  method: 'POST',
  paths: ['/emma/webhook/{id}/message/{message_id}/replay'],
  permission: 'Webhook:patch',
  params: one.extend({ message_id: queryId }),
  query: nothing,
  body: z.unknown(),
  response: z.object({ replayed: z.int() }),
})

/** Repeats the calls of a period that are not pending: all, or failed ones only. */
export const replayWebhook = defineAction({
  ...base,
  name: 'replayWebhook',
  method: 'POST',
  paths: ['/emma/webhook/{id}/replay'],
  permission: 'Webhook:patch',
  params: one,
  query: nothing,
  body: z.strictObject({ from: instant, to: instant, only_failed: flag.default(true) }),
  response: z.object({ replayed: z.int() }),
})

/** Calls the URL once with an event of type `webhook.test`, and returns the result. */
export const testWebhook = defineAction({
  ...base,
  name: 'testWebhook',
  method: 'POST',
  paths: ['/emma/webhook/{id}/test'],
  permission: 'Webhook:patch',
  perMinute: 30,
  params: one,
  query: nothing,
  body: z.unknown(),
  response: attempt.extend({ ok: z.boolean() }),
})

/** Replaces the secret and returns the new one, once. For 24 hours calls are signed with both. */
export const rotateWebhookSecret = defineAction({
  ...base,
  name: 'rotateWebhookSecret',
  method: 'POST',
  paths: ['/emma/webhook/{id}/rotate'],
  permission: 'Webhook:patch',
  params: one,
  query: nothing,
  body: z.unknown(),
  response: z.object({ secret: z.string(), previous_until: instant }),
})
