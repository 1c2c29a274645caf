import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { flag, queryText, text } from '../fields.ts'
import { learnedTime, timeGroups } from '../learned-time.ts'
import { checkFault } from '../schema-faults.ts'
import { split, splitResult, variantLetters } from '../split.ts'

const pathId = z.coerce.number().int().positive()
const ofCampaign = z.object({ client_id: pathId, campaign_id: pathId })
function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  })
}

const count = z.number()

/** Figures of a campaign (core/reports/read-figures.ts defines what each one counts). */
export const reportFigures = {
  nb_recipients: count,
  nb_preblock: count,
  nb_pending: count,
  nb_unknown: count,
  nb_cancelled: count,
  nb_send: count,
  nb_delivered: count,
  nb_hardbounce: count,
  nb_softbounce: count,
  nb_otherbounce: count,
  nb_open: count,
  nb_open_total: count,
  nb_open_machine: count,
  nb_open_desktop: count,
  nb_open_mobile: count,
  nb_click: count,
  nb_click_total: count,
  nb_click_machine: count,
  nb_click_desktop: count,
  nb_click_mobile: count,
  nb_unsubscribe: count,
  nb_complaint: count,
}

const reported = {
  /** The campaign has an A/B test or a holdout: splitReport. */
  has_split: z.boolean().optional(),
  /** The campaign has learned send times: learnedReport. */
  has_learned_time: z.boolean().optional(),
  campagne_id: z.int(),
  client_id: z.int(),
  name: z.string(),
  /** Datasource of its recipients. */
  member_table_id: z.int().nullable(),
  valid: z.int(),
  startdate: z.string().nullable(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  estimated_volume: count,
  /** Progress towards estimated_volume, as stored with the campaign. */
  progress_cur: count,
}

export const reportRow = z.looseObject({ ...reported, ...reportFigures })

/** R172. `unique`: people, `total`: clicks, both human; `machine`: clicks of machines. */
export const linkRow = z.looseObject({
  link_index: z.int(),
  name: z.string().nullable(),
  url: z.string().nullable(),
  unique: count,
  total: count,
  desktop: count,
  mobile: count,
  machine: count,
})

/**
 * R174. `sent`: final replies, `accepted`: accepted ones, `bounced_later`: those that bounced afterwards; `avg_s`:
 * seconds from claim to reply.
 */
export const providerRow = z.looseObject({
  provider_id: z.int(),
  name: z.string(),
  sent: count,
  accepted: count,
  bounced_later: count,
  deferred: count,
  hard: count,
  soft: count,
  unknown: count,
  avg_s: count.nullable(),
})

/** R175, with the first addresses of each reason. */
export const preblockRow = z.looseObject({
  reason: z.string().nullable(),
  count,
  sample: z.array(z.string()),
})

/** `x` of `n` people; the difference is that of the learned times to the control group. */
const comparedTimes = z.object({
  by: z.enum(['opens', 'clicks']),
  /** Members with enough observations, or all. */
  among: z.enum(['known', 'all']),
  control: z.object({ n: count, x: count }),
  learned: z.object({ n: count, x: count }),
  points: count.nullable(),
  low: count.nullable(),
  high: count.nullable(),
  p: count.nullable(),
})

/**
 * Report of learned send times. Opens and clicks count for `window_hours` after each email, and only of emails sent that
 * long ago (`settled`), so that those sent later are not at a disadvantage. The level of the limits is 95 %.
 */
export const learnedReport = defineAction({
  name: 'learnedReport',
  slow: true,
  area: 'reports',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/learned-report'],
  params: ofCampaign,
  permission: 'EmmaReport:get',
  response: z.object({
    learned_time: learnedTime,
    window_hours: z.int(),
    groups: z.array(
      z.object({
        group: z.enum(timeGroups),
        recipients: count,
        delivered: count,
        settled: count,
        opened: count,
        clicked: count,
      }),
    ),
    /** Emails of focus and explore by hour of the day in the recipient's time zone: 24 numbers from midnight on. */
    by_hour: z.object({ focus: z.array(count), explore: z.array(count) }),
    compared: z.array(comparedTimes),
  }),
})

/** People among the delivered who did it; `recipients`: those who were to get it, or of the holdout. */
export const splitPart = z.object({
  part: z.enum(['variant', 'rest', 'holdout']),
  variant: z.int().nullable(),
  recipients: count,
  sent: count,
  delivered: count,
  opened: count,
  clicked: count,
  unsubscribed: count,
  complained: count,
  reached_goal: count.nullable(),
})

/** `n` people, of whom `x` did what decides; limits at the level corrected for the number of comparisons. */
export const comparedVariant = z.object({
  n: count,
  x: count,
  rate: count.nullable(),
  low: count,
  high: count,
  /** To the first variant; null for itself. */
  difference: z
    .object({
      points: count.nullable(),
      low: count.nullable(),
      high: count.nullable(),
      p: count.nullable(),
      chance_better: count.nullable(),
    })
    .nullable(),
})

/** What a variant is sent with. */
export const sentVariant = z.object({
  message_id: z.int().nullable(),
  /** Name of the template. */
  template: z.string().nullable(),
  subject: z.string().nullable(),
  fromadr: z.string().nullable(),
  fromname: z.string().nullable(),
  reply_to: z.string().nullable(),
})

/**
 * Report of an A/B test or a holdout. `standing`: what the rule says by the figures of this moment; `ratio_p`: p of the
 * test that all variants were delivered equally often (statistics/sample-ratio.ts).
 */
export const splitReport = defineAction({
  name: 'splitReport',
  slow: true,
  area: 'reports',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/split-report'],
  params: ofCampaign,
  permission: 'EmmaReport:get',
  response: z.object({
    variants: z.array(sentVariant),
    parts: z.array(splitPart),
    compared: z.array(comparedVariant),
    standing: z
      .object({
        reason: z.enum(['significant', 'best', 'control', 'nobody', 'ask']),
        winner: z.int().nullable(),
      })
      .nullable(),
    ratio_p: count,
    split,
    /** Some recipients get nothing before the winner is chosen. */
    waits: z.boolean(),
    winner: z.int().nullable(),
    result: splitResult.nullable(),
    sampled_at: z.string().nullable(),
    decided_at: z.string().nullable(),
    /** Name of the user who chose the winner; null if the rule did. */
    decided_by: z.string().nullable(),
    /** When it is decided; null before all mails of the sample have been tried, and if a user decides. */
    decides_at: z.string().nullable(),
  }),
})

const people = z.object({ name: z.string(), people: count })

export const report = z.looseObject({
  ...reported,
  ...reportFigures,
  opens_clicks_over_time: z.array(z.object({ ts: z.string(), opens: count, clicks: count })),
  links: z.array(linkRow),
  devices: z.array(people),
  clients: z.array(people),
  bounces: z.array(
    z.object({
      class: z.string(),
      hard: z.boolean(),
      people: count,
      replies: z.array(z.string()).nullable(),
    }),
  ),
  preblocks: z.array(preblockRow),
  providers: z.array(providerRow),
})

/** Campaigns with their nb_* figures, newest first. Supports the list parameters and filters of campaigns. */
export const listReports = defineAction({
  name: 'listReports',
  slow: true,
  area: 'reports',
  paths: ['/emma/report/'],
  permission: 'EmmaReport:get',
  query: z.looseObject({}),
  response: pageOf(reportRow),
})

/**
 * Report of one campaign: figures, opens and clicks over time, links, devices, bounces, skip reasons, mailbox
 * providers.
 */
export const findReport = defineAction({
  name: 'findReport',
  slow: true,
  area: 'reports',
  paths: ['/emma/report/{id}'],
  permission: 'EmmaReport:get',
  query: z.looseObject({}),
  response: report,
})

/** R176: findReport under its v2 path. */
export const viewReport = defineAction({
  ...findReport,
  name: 'viewReport',
  slow: true,
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/report:view'],
  params: ofCampaign,
})

export const clickReport = defineAction({
  ...viewReport,
  name: 'clickReport',
  slow: true,
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/click-report'],
  response: pageOf(linkRow),
})

export const mtaReport = defineAction({
  ...viewReport,
  name: 'mtaReport',
  slow: true,
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/mta-report'],
  response: pageOf(providerRow),
})

export const preblockReport = defineAction({
  ...viewReport,
  name: 'preblockReport',
  slow: true,
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/preblock-reason'],
  response: pageOf(preblockRow),
})

/** R177. Figures of confirmation requests; `rate`: confirmed of sent, 0 … 1. */
export const doiReportRow = z.object({
  /** Day of the request, by the client's clock; null if grouped otherwise. */
  date: z.string().nullable(),
  source: z.string().nullable(),
  form_id: z.int().nullable(),
  requested: count,
  sent: count,
  confirmed: count,
  expired: count,
  rate: z.number(),
})

/** Confirmation requests by day (newest first), source or form; by default of the last 30 days. */
export const doiReport = defineAction({
  name: 'doiReport',
  slow: true,
  area: 'reports',
  paths: ['/v2/emma/client/{client_id}/doi-report'],
  permission: 'EmmaReport:get',
  params: z.object({ client_id: pathId }),
  query: z.object({
    start_date: z.iso.date().optional(),
    end_date: z.iso.date().optional(),
    member_table_id: pathId.optional(),
    form_id: pathId.optional(),
    group: z.enum(['date', 'source', 'form']).default('date'),
    limit: z.coerce.number().int().min(1).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().default(0),
  }),
  response: pageOf(doiReportRow),
})

export const deliveryStates = [
  'pending',
  'claimed',
  'sent',
  'deferred',
  'rejected',
  'unknown',
  'skipped',
  'cancelled',
] as const
export const skipReasons = [
  'unsubscribed',
  'hardbounce',
  'softbounce_limit',
  'complaint',
  'doi_missing',
  'duplicate',
  'invalid_address',
  'invalid_domain',
  'blacklist_campaign',
  'blacklist_client',
  'blacklist_multi',
  'blacklist_internal',
  'send_once',
  'capping',
  'quota',
  'no_content',
  'no_data',
  'holdout',
  'time_passed',
] as const

const recipientFilters = {
  search: queryText.optional(),
  state: z.enum(deliveryStates).optional(),
  /** Recipients counted by nb_send, nb_delivered and nb_pending. */
  figure: z.enum(['answered', 'delivered', 'waiting']).optional(),
  reason: z.enum(skipReasons).optional(),
  /** `hit`: an open or a click. */
  event: z.enum(['open', 'click', 'hit', 'bounce', 'unsubscribe', 'complaint', 'deferred']).optional(),
  link_index: z.coerce.number().int().nonnegative().optional(),
  /** With opens and clicks: people with a human event, or with machine events only. */
  verdict: z.enum(['human', 'machine']).optional(),
  /** With opens and clicks: device and email client. */
  device: queryText.optional(),
  agent_client: queryText.optional(),
  /** With `event` bounce: class of the reply, and whether the bounce is hard. */
  class: queryText.optional(),
  hard: flag.optional(),
  provider_id: z.coerce.number().int().nonnegative().optional(),
  /** Recipients of the sample of an A/B test who get a variant; `rest`: those who get the winner. */
  variant: z.enum([...variantLetters, 'rest']).optional(),
}

/** One row of the ledger: a recipient and the state of the delivery. */
export const recipientRow = z.looseObject({
  member_id: z.int(),
  email: z.string(),
  state: z.enum(deliveryStates),
  skip_reason: z.enum(skipReasons).nullable(),
  attempts: count,
  smtp_code: z.int().nullable(),
  enhanced: z.string().nullable(),
  reply: z.string().nullable(),
  class: z.string().nullable(),
  hard: z.boolean().nullable(),
  recorded_at: z.string().nullable(),
  /** Time of the last event that matches the filter; null without an event filter. */
  event_at: z.string().nullable(),
  provider: z.string().nullable(),
  /** Variant of the A/B test (A, B, …) that the recipient got or is to get, of the sample or as the winner. */
  variant: z.string().nullable(),
  /** Classification of the last open or click that matches the filter, with its reason; null for other filters. */
  verdict: z.string().nullable(),
  verdict_reason: z.string().nullable(),
})

/** The recipients that a figure counts, with the state of each delivery. */
export const listRecipients = defineAction({
  name: 'listRecipients',
  slow: true,
  area: 'reports',
  paths: ['/emma/report/{id}/recipients'],
  permission: 'EmmaReport:get',
  alsoNeeds: ['EmmaMember:get'],
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().default(0),
    ...recipientFilters,
  }),
  response: pageOf(recipientRow),
})

/**
 * For each of the templates in `message_ids` (separated by commas) that was sent: the campaign that sent it last, with
 * its result.
 */
export const lastResults = defineAction({
  name: 'lastResults',
  slow: true,
  area: 'reports',
  paths: ['/v2/emma/client/{client_id}/message:results'],
  permission: 'EmmaReport:get',
  alsoNeeds: ['EmmaMessage:get'],
  query: z.object({
    message_ids: text(1600)
      .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, checkFault('field.key'))
      .transform(ids => ids.split(',').map(Number))
      .default([]),
  }),
  response: z.array(
    z.object({
      message_id: z.int(),
      campagne_id: z.int(),
      name: z.string(),
      started_at: z.string(),
      nb_send: count,
      nb_delivered: count,
      nb_open: count,
      nb_click: count,
    }),
  ),
})

/**
 * R199: recipients of a report with their delivery state and the times of their first open, click, unsubscribe and so
 * on, as CSV.
 */
export const downloadReport = defineAction({
  name: 'downloadReport',
  area: 'reports',
  paths: ['/emma/report/download/{id}'],
  permission: 'EmmaReport:get',
  alsoNeeds: ['EmmaMember:get'],
  query: z.object(recipientFilters),
  response: z.unknown(),
  answer: 'file',
})
