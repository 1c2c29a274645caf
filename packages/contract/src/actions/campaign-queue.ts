import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { instant } from '../fields.ts'
import { poolFaults } from '../pool-faults.ts'
import { scdActions } from '../resources/scd-rule.ts'

const count = z.int().nonnegative()

/** What holds emails of a campaign back: the campaign itself, its sending route, or limits of a mailbox provider. */
export const waitCodes = [
  'no_engine',
  'quiet_hours',
  'local_time',
  'learned_time',
  'split',
  'campaign_rate',
  'campaign_window',
  'domain_warmup',
  'mailclass_warmup',
  'quarantine',
  'mailclass_rate',
  'login_rate',
  'ip_rate',
  'connections',
  'backoff',
  'provider_rate',
  'mailclass_provider_rate',
  'provider_connections',
  'retry',
] as const
export type WaitCode = (typeof waitCodes)[number]

const wait = z.object({
  code: z.enum(waitCodes),
  /** Null: not known. */
  since: instant.nullable(),
  /** When it ends by itself; null: not known. */
  until: instant.nullable(),
  /** Limit in emails, per `unit` or, of a campaign's batches, per `seconds`; of connections their number. */
  limit: count.nullable(),
  unit: z.string().nullable(),
  seconds: count.nullable(),
  /** Of `connections`: it shares them with other campaigns of the client, or the engines with other clients. */
  shared: z.enum(['campaigns', 'clients']).nullable(),
  /** Action of a reply rule that a superadmin may undo (undoScdAction). */
  action_id: z.int().nullable(),
})
export type Wait = z.output<typeof wait>

/** Emails of a provider that are counted; beyond, the count is a lower limit. */
export const MOST_QUEUE_COUNTED = 10_000

/** Emails of a provider that are not sent yet: some of them `deferred` by the receiver, others `sending` now. */
const provider = z.object({
  provider_id: z.int(),
  name: z.string(),
  waiting: count,
  deferred: count,
  sending: count,
  waits: z.array(wait),
})

/** A mail class or sending service of the campaign; those after the first take what it cannot. */
const route = z.object({
  mailclass_id: z.int().nullable(),
  esp_id: z.int().nullable(),
  name: z.string().nullable(),
  is_used: z.boolean(),
  warmup: z.object({ volume: count, sent: count }).nullable(),
  waits: z.array(wait),
})

/** Deferred emails of a provider with the same reply codes. */
const deferral = z.object({
  provider_id: z.int(),
  provider: z.string(),
  code: z.int().nullable(),
  enhanced: z.string().nullable(),
  class: z.string().nullable(),
  count,
  /** Most attempts of one email. */
  attempts: count,
  /** The next attempt of one of them. */
  next_at: instant,
  /** A reply, which may quote an address; null without the permission for members. Untrusted text. */
  reply: z.string().nullable(),
})

/** What a reply rule did because of this campaign, or does to its sending routes now. */
const ruleAction = z.object({
  id: z.int(),
  rule: z.string(),
  action: z.enum(scdActions),
  provider: z.string().nullable(),
  mailclass: z.string().nullable(),
  send_ip: z.string().nullable(),
  /** Replies that led to it; of suppressed addresses, their number. */
  hits: count,
  reply: z.string().nullable(),
  acted_at: instant,
  until: instant.nullable(),
  undone_at: instant.nullable(),
  /** It still holds emails back. */
  is_active: z.boolean(),
})

export const campaignQueue = z.object({
  /** Waits of all emails. */
  waits: z.array(wait),
  providers: z.array(provider),
  routes: z.array(route),
  /** Domains of a domain pool, the campaign's own first; empty without. */
  domains: z.array(z.object({ name: z.string(), fault: z.enum(poolFaults).nullable() })),
  deferrals: z.array(deferral),
  /** More emails are deferred than `deferrals` describes. */
  has_more_deferrals: z.boolean(),
  rule_actions: z.array(ruleAction),
})
export type CampaignQueue = z.output<typeof campaignQueue>

/**
 * R035: emails of a campaign that wait, with reasons, by mailbox provider and sending route; deferrals and what reply
 * rules did. Counts copies to seeds too.
 */
export const readCampaignQueue = defineAction({
  name: 'readCampaignQueue',
  slow: true,
  area: 'campaigns',
  paths: ['/emma/campaign/{id}/queue'],
  permission: 'EmmaCampaign:get',
  response: campaignQueue,
})
