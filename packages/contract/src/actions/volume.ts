import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { clockTime, count, date, id, instant, providerId, queryId, sendOnceKey } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'
import { mailclassTypes, throttleUnits, transports } from '../resources/mailclass.ts'

/** What limits a sending: rates of the campaign, mail class, login, IP or mailbox provider, or a time of waiting. */
export const limitKinds = [
  'campaign',
  'mailclass',
  'login',
  'ip',
  'provider',
  'mailclass_provider',
  'window',
  'warmup',
  'domain_warmup',
  'quiet_hours',
  'quarantine',
  'back_off',
] as const
export type LimitKind = (typeof limitKinds)[number]

const MOST_EMAILS = 1_000_000_000

/**
 * A sending: its recipients (a segment as in `list:count`, counts by mailbox provider, or one number), its route (mail
 * class, ESP login or both), and the campaign's fields that limit it.
 */
export const volumeQuestion = z
  .strictObject({
    list_id: id.optional(),
    excludes: z.array(id).max(50).optional(),
    blacklist_ids: z.array(id).max(100).optional(),
    capping_id: id.nullable().optional(),
    send_once_key: sendOnceKey.nullable().optional(),
    message_id: id.nullable().optional(),
    volume: z.int().nonnegative().max(MOST_EMAILS).optional(),
    by_provider: z
      .array(z.strictObject({ provider_id: providerId, count: z.int().nonnegative().max(MOST_EMAILS) }))
      .max(1000)
      .optional(),
    mailclass_id: id.nullable().optional(),
    esp_id: id.nullable().optional(),
    domain_id: id.nullable().optional(),
    throttle: count.default(0),
    throttle_unit: z.enum(throttleUnits).default('hour'),
    window_mails: count.default(0),
    window_minutes: z.int().min(1).max(10_080).default(60),
    /** Null: those of the client. */
    quiet_from: clockTime.nullable().default(null),
    quiet_to: clockTime.nullable().default(null),
    local_time: z.boolean().default(false),
    /** Null or past: now. */
    startdate: instant.nullable().default(null),
  })
  .superRefine(({ list_id, volume, by_provider, mailclass_id, esp_id, quiet_from, quiet_to }, context) => {
    const refuse = (field: string, code: 'field.required' | 'field.unknown') =>
      context.addIssue({ code: 'custom', path: [field], message: checkFault(code) })
    const given = Object.entries({ list_id, by_provider, volume }).filter(([, value]) => value !== undefined)
    if (given.length === 0) refuse('list_id', 'field.required')
    for (const [field] of given.slice(1)) refuse(field, 'field.unknown')
    if (!mailclass_id && !esp_id) refuse('mailclass_id', 'field.required')
    if ((quiet_from === null) !== (quiet_to === null))
      refuse(quiet_from === null ? 'quiet_from' : 'quiet_to', 'field.required')
  })
export type VolumeQuestion = z.output<typeof volumeQuestion>

/** The limit that takes most of the time: `mails` in `seconds`; null for times of waiting. */
const limit = z.object({
  kind: z.enum(limitKinds),
  mails: z.int().nullable(),
  seconds: z.int().nullable(),
  /** Name of the mail class; null for limits of the campaign, the domain or the installation. */
  mailclass: z.string().nullable(),
})
export type VolumeLimit = z.infer<typeof limit>

/** Null: more than a year. */
const finish = { duration_s: z.number().nullable(), enddate: instant.nullable() }

const forecast = z.object({
  volume: z.int(),
  startdate: instant,
  ...finish,
  /** `limit` null: no limit, as fast as the receiving servers accept emails. */
  by_provider: z.array(
    z.object({
      provider_id: z.int(),
      name: z.string(),
      count: z.int(),
      limit: limit.nullable(),
      ...finish,
    }),
  ),
  /** The mailbox provider that ends last; null without recipients or limits. */
  bottleneck: z.object({ provider_id: z.int(), name: z.string(), limit }).nullable(),
  /** IPs and virtual MTAs of the route. */
  ips: z.array(z.string()),
  /** Days of warm-ups in which emails are sent. `sent`: before this sending; `planned`: of it. */
  warmup: z.array(
    z.object({
      date,
      kind: z.enum(['mailclass', 'domain']),
      name: z.string(),
      volume: z.int(),
      sent: z.int(),
      planned: z.int(),
    }),
  ),
  warnings: z.array(
    z.object({
      code: z.string(),
      values: z.record(z.string(), z.unknown()).optional(),
      message: z.string(),
    }),
  ),
})
export type VolumeForecast = z.output<typeof forecast>

/**
 * Calculates how long a sending takes (R248), by the limits that the delivery follows. A segment also requires
 * EmmaList:get, a domain EmmaDomain:get.
 */
export const calculateVolume = defineAction({
  name: 'calculateVolume',
  area: 'deliverability',
  method: 'POST',
  reads: true,
  slow: true,
  paths: ['/volumecalculator'],
  permission: 'VolumeCalculator:get',
  alsoNeeds: ['EmmaMailclass:get'],
  body: volumeQuestion,
  response: forecast,
})

const usableMailclass = z.object({
  mailclass_id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.enum(mailclassTypes),
  transport: z.enum(transports),
  /** Rate of the route that is open now, by mail class, login and IP; null: no limit. */
  per_hour: z.number().nullable(),
  /** What the warm-up allows today; null: not warming up. */
  left_today: z.int().nullable(),
  /** Running campaigns that use it. */
  running: z.int(),
  /** Emails that another campaign can send in the next hour, as running ones get equal shares; null: no limit. */
  capacity: z.int().nullable(),
  /** Name of the overflow mail class that would send, as its own day is used up or in quarantine. */
  overflow: z.string().nullable(),
})
export type UsableMailclass = z.infer<typeof usableMailclass>

const usable = {
  area: 'deliverability',
  permission: 'EmmaMailclass:get',
  response: z.object({ data: z.array(usableMailclass) }),
} as const
const type = z.enum(mailclassTypes)

/** Mail classes of a type that can be used, with free capacity now (R179). */
export const listUsableMailclasses = defineAction({
  ...usable,
  name: 'listUsableMailclasses',
  paths: [
    '/v2/emma/client/{client_id}/mailclass:{type}',
    '/v2/emma/client/{client_id}/campaign/mailclass:{type}',
  ],
  params: z.object({ client_id: queryId, type }),
})

/** Those for a campaign, which also needs to exist. */
export const listCampaignMailclasses = defineAction({
  ...usable,
  name: 'listCampaignMailclasses',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/mailclass:{type}'],
  alsoNeeds: ['EmmaCampaign:get'],
  params: z.object({ client_id: queryId, campaign_id: queryId, type }),
})
