import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { flag } from '../fields.ts'
import { linkDays, linkSecret, newShareLink, shareLinks } from '../share-links.ts'
import { reportFigures } from './reports.ts'

const base = { area: 'reports', permission: 'EmmaReport:get' } as const

const count = z.number()

const { nb_send, nb_delivered, nb_hardbounce, nb_softbounce, nb_otherbounce, nb_unsubscribe } = reportFigures
const { nb_open, nb_open_total, nb_open_desktop, nb_open_mobile } = reportFigures
const { nb_click, nb_click_total, nb_click_desktop, nb_click_mobile } = reportFigures

/** A report as its customer sees it: without members, machines, replies of servers and what waits. */
export const salesRow = z.object({
  campagne_id: z.int(),
  name: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
  nb_send,
  nb_delivered,
  nb_hardbounce,
  nb_softbounce,
  nb_otherbounce,
  nb_open,
  nb_open_total,
  nb_open_desktop,
  nb_open_mobile,
  nb_click,
  nb_click_total,
  nb_click_desktop,
  nb_click_mobile,
  nb_unsubscribe,
  /** Null: the link hides them. */
  nb_complaint: count.nullable(),
  nb_preblock: count.nullable(),
})
export type SalesRow = z.infer<typeof salesRow>

export const salesReport = salesRow.extend({
  client: z.string(),
  /** End of the link's validity; null for users of the client. */
  expires_at: z.string().nullable(),
  opens_clicks_over_time: z.array(z.object({ ts: z.string(), opens: count, clicks: count })),
  links: z.array(
    z.object({
      link_index: z.int(),
      name: z.string().nullable(),
      url: z.string().nullable(),
      unique: count,
      total: count,
      desktop: count,
      mobile: count,
    }),
  ),
})
export type SalesReport = z.infer<typeof salesReport>

/** Figures that a link shows or hides. */
export const salesOptions = ['shows_complaints', 'shows_preblocks'] as const
export type SalesOptions = Record<(typeof salesOptions)[number], boolean>

/** Sales view of a report (R200): what its link shows with these options. */
export const readSalesView = defineAction({
  ...base,
  name: 'readSalesView',
  slow: true,
  paths: ['/emma/report/{id}/salesview'],
  query: z.object({ shows_complaints: flag.default(true), shows_preblocks: flag.default(true) }),
  response: salesReport,
})

/** The same, for anybody with the secret of a link (R027, T29). */
export const viewSalesReport = defineAction({
  ...base,
  name: 'viewSalesReport',
  slow: true,
  paths: ['/salesview/{id}'],
  permission: 'public',
  perMinute: 60,
  query: linkSecret,
  response: salesReport,
})

const newLink = z.strictObject({
  days: linkDays,
  shows_complaints: z.boolean().default(true),
  shows_preblocks: z.boolean().default(true),
})

/** Links to the sales view of a report. */
export const listReportShares = defineAction({
  ...base,
  name: 'listReportShares',
  paths: ['/emma/report/{id}/salesview/share'],
  response: shareLinks,
})

export const shareReport = defineAction({
  ...base,
  name: 'shareReport',
  method: 'POST',
  paths: ['/emma/report/{id}/salesview/share'],
  permission: 'EmmaReport:post',
  body: newLink,
  response: newShareLink,
  status: 201,
})

export const revokeReportShare = defineAction({
  ...base,
  name: 'revokeReportShare',
  method: 'DELETE',
  paths: ['/emma/report/{id}/salesview/share/{share_id}'],
  permission: 'EmmaReport:post',
  response: shareLinks,
})

/** Reports of one comparison at most: of a larger group, those started last. */
export const mostCompared = 50

/** Comparison of the campaigns of a report group, for anybody with the secret of a link (R026, T29). */
export const viewComparison = defineAction({
  ...base,
  name: 'viewComparison',
  slow: true,
  paths: ['/compare-reports/{id}'],
  permission: 'public',
  perMinute: 60,
  query: linkSecret,
  response: z.object({
    name: z.string(),
    client: z.string(),
    expires_at: z.string(),
    reports: z.array(salesRow),
    /** Campaigns of the group, also those that are not shown. */
    total: z.int(),
  }),
})

/** Links to the comparison of a report group. */
export const listComparisonShares = defineAction({
  ...base,
  name: 'listComparisonShares',
  paths: ['/reportinggroup/{id}/share'],
  permission: 'ReportingGroup:get',
  response: shareLinks,
})

export const shareComparison = defineAction({
  ...base,
  name: 'shareComparison',
  method: 'POST',
  paths: ['/reportinggroup/{id}/share'],
  permission: 'ReportingGroup:post',
  alsoNeeds: ['EmmaReport:post'],
  body: newLink,
  response: newShareLink,
  status: 201,
})

export const revokeComparisonShare = defineAction({
  ...base,
  name: 'revokeComparisonShare',
  method: 'DELETE',
  paths: ['/reportinggroup/{id}/share/{share_id}'],
  permission: 'ReportingGroup:post',
  response: shareLinks,
})
