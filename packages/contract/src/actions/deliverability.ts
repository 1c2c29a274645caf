import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { queryText } from '../fields.ts'

const pathId = z.coerce.number().int().positive()

/** Asks the DNS now and answers the domain with every record, what was expected and what was found. */
export const verifyDomain = defineAction({
  name: 'verifyDomain',
  area: 'deliverability',
  method: 'POST',
  paths: ['/emma/domain/{id}/verify'],
  permission: 'EmmaDomain:patch',
  params: z.object({ id: pathId }),
  query: z.object({}),
  body: z.unknown(),
  response: z.looseObject({ domain_id: z.int(), status: z.string() }),
  evicts: ['domain'],
})

const page = z.object({
  data: z.array(z.looseObject({})),
  included: z.array(z.unknown()),
  pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
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
  method: 'GET',
  paths: ['/testbed/mailbox/'],
  permission: 'Testbed:get',
  params: z.object({}),
  query: z.object(paging),
  body: z.unknown(),
  response: page,
})

/** Messages of a mailbox, or of all, newest first. */
export const listTestbedMessages = defineAction({
  name: 'listTestbedMessages',
  area: 'deliverability',
  method: 'GET',
  paths: ['/testbed/message/'],
  permission: 'Testbed:get',
  params: z.object({}),
  query: z.object({ ...paging, mailbox: queryText.optional() }),
  body: z.unknown(),
  response: page,
})

/** One message: HTML, text, headers, source, and the verdict of the independent DKIM/SPF/DMARC check. */
export const findTestbedMessage = defineAction({
  name: 'findTestbedMessage',
  area: 'deliverability',
  method: 'GET',
  paths: ['/testbed/message/{id}'],
  permission: 'Testbed:get',
  params: z.object({ id: pathId }),
  query: z.object({}),
  body: z.unknown(),
  response: z.looseObject({}),
})
