import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { storedFault } from '../fault-fields.ts'
import { date, id, instant, line, queryId } from '../fields.ts'
import { placements } from '../placements.ts'

const base = { area: 'deliverability' } as const
const count = z.int()

const foundFolders = z.object({
  inbox: z.string().nullable(),
  spam: z.string().nullable(),
  promotions: z.string().nullable(),
})
export type FoundFolders = z.infer<typeof foundFolders>

const imapLoginTest = z.object({
  login_id: id.nullish(),
  setting_id: id,
  username: line(255).trim(),
  password: line(4000).nullish(),
})
export type ImapLoginTest = z.output<typeof imapLoginTest>

/**
 * Logs in to a mailbox and lists its folders (LOGIN and LIST). Without a password the stored one of `login_id` is used,
 * if server and user name are those it is stored for.
 */
export const testImapLogin = defineAction({
  ...base,
  name: 'testImapLogin',
  method: 'POST',
  paths: ['/v2/emma/client/{client_id}/imap-login:test'],
  permission: 'EmmaImapLogin:post',
  reads: true,
  perMinute: 20,
  body: imapLoginTest,
  response: z.object({
    /** Null: it can be read. */
    error: storedFault.nullable(),
    milliseconds: count,
    /** Names of all folders. */
    folders: z.array(z.string()),
    found: foundFolders,
  }),
})

/** Where one mail of a placement check arrived. Times in ISO 8601. */
export const ipciResult = z.object({
  result_id: id,
  client_id: id,
  ipci_id: id,
  ipci_name: z.string(),
  /** The check has ended: a mail without placement is in a mailbox that could not be read. */
  is_over: z.boolean(),
  login_id: id,
  provider: z.string(),
  email: z.string(),
  /** What the receiving server said: sent, deferred, rejected, unknown, held; null: not tried yet. */
  outcome: z.string().nullable(),
  reply: z.string().nullable(),
  sent_at: instant.nullable(),
  /** Null: not found yet, or not readable. */
  placement: z.enum(placements).nullable(),
  folder: z.string().nullable(),
  arrived_at: instant.nullable(),
  /** Seconds from sending to arrival. */
  delay_s: count.nullable(),
  /** Results as the receiving server noted them (RFC 8601): pass, fail, softfail, none …; null: it noted none. */
  spf: z.string().nullable(),
  dkim: z.string().nullable(),
  dmarc: z.string().nullable(),
  /** Address that the receiving server saw. */
  received_ip: z.string().nullable(),
  /** Whether the mail as received is still stored. */
  has_source: z.boolean(),
})
export type IpciResult = z.infer<typeof ipciResult>

/** Results of placement checks, newest check first, then by provider and mailbox (R223). */
export const listIpciResults = defineAction({
  ...base,
  name: 'listIpciResults',
  paths: ['/emma/ipci/result/'],
  permission: 'IPCI:get',
  query: z.object({
    client_id: queryId.optional(),
    ipci_id: queryId.optional(),
    campagne_id: queryId.optional(),
    limit: z.coerce.number().int().min(0).max(1000).default(25),
    skip: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
  }),
  response: z.object({
    data: z.array(ipciResult),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  }),
})

/** One result with the mail as received. Untrusted: show HTML in a sandboxed frame only. */
export const findIpciResult = defineAction({
  ...base,
  name: 'findIpciResult',
  paths: ['/emma/ipci/result/{id}'],
  permission: 'IPCI:get',
  response: ipciResult.extend({
    headers: z.string().nullable(),
    /** Null once the mail is not stored any more. */
    received: z.object({ subject: z.string(), html: z.string(), text: z.string() }).nullable(),
  }),
})

/** Mails of a period by where they arrived. */
const arrivals = {
  sent: count,
  inbox: count,
  promotions: count,
  spam: count,
  other: count,
  missing: count,
}

/** Response of the placement widget and of R181; mails that are still awaited do not count. */
export const placementView = {
  /** By provider. `delay_s`: median of the mails that arrived. */
  providers: z.array(z.object({ provider: z.string(), ...arrivals, delay_s: z.number().nullable() })),
  /** All providers together, days with mails only, in the client's time zone. */
  days: z.array(z.object({ day: z.string(), sent: count, inbox: count })),
}

/** Placements by provider over a period of at most 366 days; default: the last 30 (R181). */
export const ipciDashboardView = defineAction({
  ...base,
  name: 'ipciDashboardView',
  paths: ['/v2/emma/client/{client_id}/ipci/result/dashboardview'],
  permission: 'IPCI:get',
  query: z.object({ from: date.optional(), to: date.optional() }),
  response: z.object(placementView),
})
