import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { queryText } from '../fields.ts'

const pathId = z.coerce.number().int().positive()
const ofCampaign = z.object({ client_id: pathId, campaign_id: pathId })
const page = z.object({
  data: z.array(z.looseObject({})),
  included: z.array(z.unknown()),
  pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
})

/** Campaigns with their nb_* figures, newest first. Understands the list parameters and filters of campaigns. */
export const listReports = defineAction({
  name: 'listReports',
  area: 'reports',
  method: 'GET',
  paths: ['/emma/report/'],
  permission: 'EmmaReport:get',
  params: z.object({}),
  query: z.looseObject({}),
  body: z.unknown(),
  response: page,
})

/** One campaign's report: figures, opens and clicks over time, links, devices, bounces, preblocks, providers. */
export const findReport = defineAction({
  name: 'findReport',
  area: 'reports',
  method: 'GET',
  paths: ['/emma/report/{id}'],
  permission: 'EmmaReport:get',
  params: z.object({ id: pathId }),
  query: z.looseObject({}),
  body: z.unknown(),
  response: z.looseObject({ campagne_id: z.int() }),
})

/** R176: the same under its v2 path. */
export const viewReport = defineAction({
  ...findReport,
  name: 'viewReport',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/report:view'],
  params: ofCampaign,
})

export const clickReport = defineAction({
  ...viewReport,
  name: 'clickReport',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/click-report'],
  response: page,
})

export const mtaReport = defineAction({
  ...viewReport,
  name: 'mtaReport',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/mta-report'],
  response: page,
})

export const preblockReport = defineAction({
  ...viewReport,
  name: 'preblockReport',
  paths: ['/v2/emma/client/{client_id}/campaign/{campaign_id}/preblock-reason'],
  response: page,
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
  reason: z.enum(skipReasons).optional(),
  event: z.enum(['open', 'click', 'bounce', 'unsubscribe', 'complaint', 'deferred']).optional(),
  link_index: z.coerce.number().int().nonnegative().optional(),
}

/** The people behind a figure: who got it, who did not and why. */
export const listRecipients = defineAction({
  name: 'listRecipients',
  area: 'reports',
  method: 'GET',
  paths: ['/emma/report/{id}/recipients'],
  permission: 'EmmaReport:get',
  params: z.object({ id: pathId }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1000).default(25),
    offset: z.coerce.number().int().nonnegative().default(0),
    ...recipientFilters,
  }),
  body: z.unknown(),
  response: page,
})

/** R199: the recipients of a report with their outcome, as CSV. */
export const downloadReport = defineAction({
  name: 'downloadReport',
  area: 'reports',
  method: 'GET',
  paths: ['/emma/report/download/{id}'],
  permission: 'EmmaReport:get',
  params: z.object({ id: pathId }),
  query: z.object(recipientFilters),
  body: z.unknown(),
  response: z.unknown(),
  answer: 'file',
})

/** `/view/dashboard/overview/` (R232): the first figures of a client. */
export const viewDashboard = defineAction({
  name: 'viewDashboard',
  area: 'dashboard',
  method: 'GET',
  paths: ['/view/dashboard/{type}/'],
  permission: 'Dashboard:get',
  params: z.object({ type: z.enum(['overview']) }),
  query: z.looseObject({}),
  body: z.unknown(),
  response: z.looseObject({
    members_active: z.number(),
    members_total: z.number(),
    campaigns_running: z.number(),
    campaigns_scheduled: z.number(),
    sent_month: z.number(),
    volume: z.array(z.object({ day: z.string(), sent: z.number(), opens: z.number(), clicks: z.number() })),
  }),
})
