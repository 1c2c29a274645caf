import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { flag, queryText } from '../fields.ts'

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

/** What became of a campaign's mails (core/reports/read-figures.ts says what each figure counts). */
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
  campagne_id: z.int(),
  client_id: z.int(),
  name: z.string(),
  /** The datasource that its recipients are of. */
  member_table_id: z.int().nullable(),
  valid: z.int(),
  startdate: z.string().nullable(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  estimated_volume: count,
  /** How far the campaign has come of its estimated_volume, as the campaign itself says. */
  progress_cur: count,
}

export const reportRow = z.looseObject({ ...reported, ...reportFigures })

/** R172. `unique`: people, `total`: hits, both by humans; `machine`: hits of machines. */
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
 * R174. `sent` are final answers, `accepted` the good ones, `bounced_later` those of them that bounced afterwards; `avg_s`:
 * seconds from claim to answer.
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

/** Campaigns with their nb_* figures, newest first. Understands the list parameters and filters of campaigns. */
export const listReports = defineAction({
  name: 'listReports',
  slow: true,
  area: 'reports',
  paths: ['/emma/report/'],
  permission: 'EmmaReport:get',
  query: z.looseObject({}),
  response: pageOf(reportRow),
})

/** One campaign's report: figures, opens and clicks over time, links, devices, bounces, preblocks, providers. */
export const findReport = defineAction({
  name: 'findReport',
  slow: true,
  area: 'reports',
  paths: ['/emma/report/{id}'],
  permission: 'EmmaReport:get',
  query: z.looseObject({}),
  response: report,
})

/** R176: the same under its v2 path. */
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
  'capping',
  'quota',
] as const

const recipientFilters = {
  search: queryText.optional(),
  state: z.enum(deliveryStates).optional(),
  /** The people of nb_send, nb_delivered and nb_pending. */
  figure: z.enum(['answered', 'delivered', 'waiting']).optional(),
  reason: z.enum(skipReasons).optional(),
  /** `hit`: an open or a click. */
  event: z.enum(['open', 'click', 'hit', 'bounce', 'unsubscribe', 'complaint', 'deferred']).optional(),
  link_index: z.coerce.number().int().nonnegative().optional(),
  /** With opens and clicks: people with a human hit, or those whose only hits were made by machines. */
  verdict: z.enum(['human', 'machine']).optional(),
  /** With opens and clicks: the device, the mail program. */
  device: queryText.optional(),
  agent_client: queryText.optional(),
  /** With `event` bounce: the class of the reply, and whether it is for good. */
  class: queryText.optional(),
  hard: flag.optional(),
  provider_id: z.coerce.number().int().nonnegative().optional(),
}

/** One row of the ledger: a person, and what became of the mail. */
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
  /** When the last event that the question is about happened; null where it is about no event. */
  event_at: z.string().nullable(),
  provider: z.string().nullable(),
  /** Who the last open or click was by, and why that is thought; where the question is about such. */
  verdict: z.string().nullable(),
  verdict_reason: z.string().nullable(),
})

/** The people behind a figure: who got it, who did not and why. */
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

/** R199: the recipients of a report with their outcome, and when each first opened, clicked, left and so on, as CSV. */
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
