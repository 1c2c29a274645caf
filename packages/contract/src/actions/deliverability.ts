import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { queryText } from '../fields.ts'
import { dnsStep, domainStates } from '../resources/domain.ts'

const pathId = z.coerce.number().int().positive()

/** Checks the DNS now; returns the domain with expected and found values of every record. */
export const verifyDomain = defineAction({
  name: 'verifyDomain',
  area: 'deliverability',
  method: 'POST',
  paths: ['/emma/domain/{id}/verify'],
  permission: 'EmmaDomain:patch',
  response: z.looseObject({ domain_id: z.int(), status: z.enum(domainStates), dns: z.array(dnsStep) }),
  evicts: ['domain'],
})

const warmup = {
  area: 'deliverability',
  method: 'GET',
  params: z.object({ id: pathId }),
  query: z.object({}),
  body: z.unknown(),
  response: z.object({
    /** Current day of the warm-up, from 1; below 1 it has not started, null: there is none. */
    day: z.int().nullable(),
    /** Daily limit of today; null: none. */
    volume: z.int().nullable(),
    /** Mails sent today. */
    sent: z.int(),
  }),
} as const

/** Warm-up state of a mail class (its IPs). */
export const readMailclassWarmup = defineAction({
  ...warmup,
  name: 'readMailclassWarmup',
  paths: ['/emma/mailclass/{id}/warmup'],
  permission: 'EmmaMailclass:get',
})

/** Warm-up state of a sending domain. */
export const readDomainWarmup = defineAction({
  ...warmup,
  name: 'readDomainWarmup',
  paths: ['/emma/domain/{id}/warmup'],
  permission: 'EmmaDomain:get',
})

function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  })
}

/** A mailbox of the testbed. */
export const testbedMailbox = z.looseObject({
  address: z.string(),
  messages: z.int(),
  spam: z.int(),
  lastReceivedAt: z.string(),
})

const verified = z.enum(['pass', 'fail', 'not sampled'])

/** Folders in which a testbed mailbox files a mail. */
export const testbedFolders = ['inbox', 'promotions', 'spam'] as const

/** A mail received by the testbed. */
const testbedMessageFields = {
  id: z.int(),
  mailbox: z.string(),
  receivedAt: z.string(),
  sender: z.string(),
  recipient: z.string(),
  subject: z.string(),
  from: z.string(),
  messageId: z.string(),
  folder: z.string(),
  size: z.int(),
  verified,
}
export const testbedMessageRow = z.looseObject(testbedMessageFields)

/**
 * A complete mail. Its HTML is untrusted: show it in sandboxed frames only. `is_withheld`: an email of the installation
 * itself (password links), of which only the headers are shown.
 */
export const testbedMessage = z.looseObject({
  ...testbedMessageFields,
  verdict: z.object({
    verified,
    reason: z.string(),
    dkim: z.array(
      z.object({
        domain: z.string(),
        selector: z.string(),
        algorithm: z.string(),
        result: z.string(),
        comment: z.string(),
      }),
    ),
    spf: z.object({ domain: z.string(), result: z.string() }).nullable(),
    dmarc: z.object({ domain: z.string(), result: z.string(), policy: z.string() }).nullable(),
  }),
  faults: z.array(z.string()),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  is_withheld: z.boolean(),
  html: z.string().nullable(),
  text: z.string().nullable(),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), size: z.int() })),
  source: z.string(),
  events: z.array(
    z.looseObject({
      id: z.int(),
      at: z.string(),
      kind: z.string(),
      agent: z.string(),
      target: z.string(),
      status: z.int().nullable(),
      detail: z.string(),
    }),
  ),
})

const paging = {
  limit: z.coerce.number().int().min(1).max(1000).default(25),
  offset: z.coerce.number().int().nonnegative().default(0),
  search: queryText.optional(),
}

/** Mailboxes of the testbed with their counts. */
export const listMailboxes = defineAction({
  name: 'listMailboxes',
  area: 'deliverability',
  paths: ['/testbed/mailbox/'],
  permission: 'Testbed:get',
  superadminOnly: true,
  query: z.object(paging),
  response: pageOf(testbedMailbox),
})

/** Messages of a mailbox, or all, newest first. */
export const listTestbedMessages = defineAction({
  name: 'listTestbedMessages',
  area: 'deliverability',
  paths: ['/testbed/message/'],
  permission: 'Testbed:get',
  superadminOnly: true,
  query: z.object({
    ...paging,
    mailbox: queryText.optional(),
    folder: z.enum(testbedFolders).optional(),
  }),
  response: pageOf(testbedMessageRow),
})

/** One message: HTML, text, headers, source, and the result of the independent DKIM/SPF/DMARC check. */
export const findTestbedMessage = defineAction({
  name: 'findTestbedMessage',
  area: 'deliverability',
  paths: ['/testbed/message/{id}'],
  permission: 'Testbed:get',
  superadminOnly: true,
  response: testbedMessage,
})
