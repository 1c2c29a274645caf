import { z } from 'zod'
import { ATTACHMENT_LIMITS, contentId } from '../attachments.ts'
import { defineAction } from '../define-action.ts'
import { date, email, id, instant, line, queryId, queryText } from '../fields.ts'
import { messageLanguages } from '../message-languages.ts'
import { checkFault } from '../schema-faults.ts'
import { reportFigures } from './reports.ts'

const base = { area: 'transactional' } as const

/** Begins every API key of a transactional email. */
export const mailKeyPrefix = 'emtx_'

/** Days ahead for which an email can be scheduled; emails of a batch; characters of the data as JSON. */
export const callLimits = { days: 90, batch: 1000, dataCharacters: 262_144 } as const

/** Hours in which a call with the same idempotency key is answered as the first one was. */
export const IDEMPOTENCY_HOURS = 24

/** A file of one email. `content`: base64. Parts of other types than files (`multipart`, `message`) are refused. */
const callAttachment = z.strictObject({
  filename: line(ATTACHMENT_LIMITS.nameCharacters).trim().min(1, checkFault('field.empty')),
  content_type: z
    .string()
    .max(100)
    .regex(
      /^(?!multipart\/|message\/)[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/,
      checkFault('field.invalid'),
    ),
  /** Of an image that the HTML shows as `cid:…` (RFC 2392), without angle brackets; each is used once. */
  content_id: contentId.optional(),
  content: z
    .string()
    .max(Math.ceil(ATTACHMENT_LIMITS.totalBytes / 3) * 4, { abort: true })
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, checkFault('field.invalid')),
})
export type CallAttachment = z.infer<typeof callAttachment>

const call = {
  email,
  /** Name of the recipient, for the template: `{{ member.name }}`. */
  name: line(255).nullable().default(null),
  data: z.record(z.string(), z.json()).default({}),
  /** Member of the datasource with this address, whose fields the template may use. */
  member_id: id.nullable().default(null),
  /** Language of the template; default: the one that the address has chosen, otherwise the template's. */
  lang: z.enum(messageLanguages).nullable().default(null),
  /** Replaces the template's subject. Plain text. */
  subject: line(500).nullable().default(null),
  reply_to: email.nullable().default(null),
  send_at: instant.nullable().default(null),
}

/** Sent besides those of the template; 5 MB together. */
const files = { attachments: z.array(callAttachment).max(ATTACHMENT_LIMITS.count).default([]) }

/** One email of a call. */
export const mailCall = z.strictObject({
  ...call,
  ...files,
  /** The header `Idempotency-Key` has the same effect. */
  idempotency_key: line(200).nullable().default(null),
})
export type MailCall = z.infer<typeof mailCall>

const accepted = z.object({
  message_id: id,
  /** A call with this idempotency key was accepted before: nothing further is sent. */
  is_repeated: z.boolean(),
})
export type AcceptedMail = z.infer<typeof accepted>

/**
 * Accepts one email, which is durable when this is answered. Errors: `invalid` names faulty fields, `conflict` for an
 * idempotency key that was used for another email, `too_many` beyond the rate limit.
 */
export const sendTransactional = defineAction({
  ...base,
  name: 'sendTransactional',
  method: 'POST',
  paths: ['/transactionalcampaign/{id}/send'],
  permission: 'EmmaTransactional:post',
  queuesMail: true,
  largeBody: true,
  body: mailCall,
  response: accepted,
  status: 202,
})

/** Accepts up to 1000 emails without attachments: all of them, or none when one is faulty (`mails.3.email`). */
export const sendTransactionalBatch = defineAction({
  ...base,
  name: 'sendTransactionalBatch',
  method: 'POST',
  paths: ['/transactionalcampaign/{id}/send-batch'],
  permission: 'EmmaTransactional:post',
  queuesMail: true,
  body: z.strictObject({
    mails: z
      .array(mailCall.omit({ attachments: true }))
      .min(1)
      .max(callLimits.batch),
  }),
  response: z.object({ mails: z.array(accepted) }),
  status: 202,
})

/** Renders an email without sending it. */
export const renderTransactional = defineAction({
  ...base,
  name: 'renderTransactional',
  method: 'POST',
  paths: ['/transactionalcampaign/{id}/render'],
  permission: 'EmmaTransactional:post',
  reads: true,
  takesMailKey: true,
  slow: true,
  body: z.strictObject({ ...call, email: email.default('recipient@example.com') }),
  response: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
})

/** Creates the API key, in place of the one before; it is shown once. */
export const rotateTransactionalKey = defineAction({
  ...base,
  name: 'rotateTransactionalKey',
  method: 'POST',
  paths: ['/transactionalcampaign/{id}/rotate-key'],
  permission: 'EmmaTransactional:patch',
  evicts: ['transactionalcampaign'],
  response: z.object({ key: z.string(), key_hint: z.string() }),
})

/** Where programs submit transactional emails over SMTP. `tls`: STARTTLS is required. */
export const readSubmission = defineAction({
  ...base,
  name: 'readSubmission',
  paths: ['/transactional-submission'],
  permission: 'EmmaTransactional:get',
  response: z.object({ host: z.string(), port: z.int(), tls: z.boolean() }),
})

/** `waiting`: due, but held back for `fault`; the others as in the ledger. */
export const mailStates = [
  'scheduled',
  'waiting',
  'pending',
  'sent',
  'deferred',
  'rejected',
  'unknown',
  'skipped',
  'cancelled',
] as const
export type MailState = (typeof mailStates)[number]

const loggedMail = z.object({
  message_id: id,
  email: z.string(),
  name: z.string().nullable(),
  state: z.enum(mailStates),
  /** Why it was not sent: a skip reason of the ledger. */
  skip_reason: z.string().nullable(),
  /** Why it waits, and the last reply of the receiving server. */
  fault: z
    .object({ code: z.string(), values: z.record(z.string(), z.json()).optional(), message: z.string() })
    .nullable(),
  reply: z.string().nullable(),
  created_at: instant,
  /** Submitted over SMTP. */
  via_smtp: z.boolean(),
  due_at: instant,
  /** Last reply of the receiving server. */
  recorded_at: instant.nullable(),
  opened_at: instant.nullable(),
  clicked_at: instant.nullable(),
  bounced_at: instant.nullable(),
})
export type LoggedMail = z.infer<typeof loggedMail>

const ofMail = z.object({ id: queryId, mail_id: queryId })

/** Emails of a transactional email, newest first. `search`: part of the address. */
export const listTransactionalMails = defineAction({
  ...base,
  name: 'listTransactionalMails',
  paths: ['/transactionalcampaign/{id}/mail/'],
  permission: 'EmmaTransactional:get',
  alsoNeeds: ['EmmaMember:get'],
  slow: true,
  query: z.object({
    limit: z.coerce.number().int().min(0).max(500).default(25),
    offset: z.coerce.number().int().nonnegative().max(100_000).default(0),
    search: queryText.optional(),
    state: z.enum(mailStates).optional(),
  }),
  response: z.object({
    data: z.array(loggedMail),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/** One email with its data, and as it was sent; both null once the data is deleted. */
export const findTransactionalMail = defineAction({
  ...base,
  name: 'findTransactionalMail',
  paths: ['/transactionalcampaign/{id}/mail/{mail_id}'],
  permission: 'EmmaTransactional:get',
  alsoNeeds: ['EmmaMember:get'],
  params: ofMail,
  response: loggedMail.extend({
    data: z.record(z.string(), z.json()).nullable(),
    /** Of its call; `size` in bytes. */
    attachments: z.array(
      z.object({
        filename: z.string(),
        content_type: z.string(),
        /** Of an image that the HTML shows. */
        content_id: z.string().nullable(),
        size: z.int(),
      }),
    ),
    rendered: z.object({ subject: z.string(), html: z.string(), text: z.string() }).nullable(),
  }),
})

/** Cancels an email that has not been handed over yet. */
export const cancelTransactionalMail = defineAction({
  ...base,
  name: 'cancelTransactionalMail',
  method: 'POST',
  paths: ['/transactionalcampaign/{id}/mail/{mail_id}/cancel'],
  permission: 'EmmaTransactional:post',
  takesMailKey: true,
  params: ofMail,
  response: z.object({ ok: z.literal(true) }),
})

/** Sends an email again, as a new one with the same data. An address that bounced is tried again. */
export const resendTransactionalMail = defineAction({
  ...base,
  name: 'resendTransactionalMail',
  method: 'POST',
  paths: ['/transactionalcampaign/{id}/mail/{mail_id}/resend'],
  permission: 'EmmaTransactional:patch',
  alsoNeeds: ['EmmaMember:get'],
  params: ofMail,
  response: accepted,
})

/** R235. Figures by day of the client's time zone, newest first; days without emails are left out. */
export const readTransactionalReport = defineAction({
  ...base,
  name: 'readTransactionalReport',
  paths: ['/transactional-report/'],
  permission: 'TransactionalReport:get',
  slow: true,
  query: z.object({
    client_id: queryId.optional(),
    transactional_id: queryId.optional(),
    start_date: date.optional(),
    end_date: date.optional(),
  }),
  response: z.object({
    data: z.array(z.object({ date: z.string(), ...reportFigures })),
  }),
})
