import { z } from 'zod'
import { placementView } from './actions/placement.ts'
import { reportRow } from './actions/reports.ts'
import type { ViewType } from './resources/dashboard.ts'
import { motdTypes } from './resources/motd.ts'

const count = z.number()
const day = z.string()

/**
 * Common field of all views: when the query of their figures started; everything recorded before is included. The
 * response may be cached for some seconds.
 */
export const viewAge = z.looseObject({ as_of: z.string() })

/** Response of each kind of widget. Opens and clicks are human ones unless named otherwise. */
export const dashboardViews = {
  overview: z.looseObject({
    members_active: count,
    members_total: count,
    campaigns_running: count,
    campaigns_scheduled: count,
    sent_month: count,
    volume: z.array(z.object({ day, sent: count, opens: count, clicks: count })),
  }),
  /** Campaigns started last, with their figures. */
  campaigns: z.looseObject({ rows: z.array(reportRow) }),
  /** The campaign started last, or the chosen campaigns together. */
  funnel: z.looseObject({
    campagne_id: z.int().nullable(),
    name: z.string().nullable(),
    campaigns: count,
    nb_recipients: count,
    nb_send: count,
    nb_delivered: count,
    nb_open: count,
    nb_click: count,
    nb_unsubscribe: count,
    nb_complaint: count,
  }),
  volume: z.looseObject({ days: z.array(z.object({ day, sent: count, bounced: count })) }),
  rates: z.looseObject({
    days: z.array(
      z.object({ day, opens: count, clicks: count, opens_machine: count, clicks_machine: count }),
    ),
  }),
  /** Number of people by bounce class. */
  bounces: z.looseObject({
    rows: z.array(z.object({ class: z.string(), hard: z.boolean(), people: count })),
  }),
  complaints: z.looseObject({
    days: z.array(z.object({ day, complaints: count, unsubscribes: count })),
    sent: count,
  }),
  /** Ordered by the number of people who clicked. */
  links: z.looseObject({
    rows: z.array(z.object({ url: z.string(), name: z.string().nullable(), people: count, clicks: count })),
  }),
  providers: z.looseObject({
    rows: z.array(
      z.object({ provider_id: z.int(), name: z.string(), sent: count, accepted: count, waiting: count }),
    ),
  }),
  domains: z.looseObject({
    rows: z.array(
      z.looseObject({
        domain_id: z.int(),
        name: z.string(),
        status: z.string(),
        spf_ok: z.boolean().nullable(),
        dkim_ok: z.boolean().nullable(),
        dmarc_ok: z.boolean().nullable(),
        mx_ok: z.boolean().nullable(),
        is_blocklisted: z.boolean(),
        last_check: z.string().nullable(),
      }),
    ),
  }),
  subscribers: z.looseObject({
    active: count,
    total: count,
    days: z.array(z.object({ day, joined: count, left: count })),
  }),
  /** Double opt-in by datasource. */
  doi: z.looseObject({
    rows: z.array(z.object({ member_table_id: z.int(), name: z.string(), pending: count, active: count })),
  }),
  imports: z.looseObject({
    rows: z.array(
      z.object({
        id: z.int(),
        filename: z.string(),
        status: z.int(),
        rows: count,
        rows_read: count,
        rows_ok: count,
        created_at: z.string(),
      }),
    ),
  }),
  /** Where mails of placement checks arrived. */
  ipci: z.looseObject(placementView),
  /** Campaigns that are sending, scheduled, paused or held. */
  queue: z.looseObject({
    rows: z.array(
      z.object({
        campagne_id: z.int(),
        name: z.string(),
        valid: z.int(),
        startdate: z.string().nullable(),
        progress_cur: count,
        estimated_volume: count,
      }),
    ),
  }),
  quota: z.looseObject({
    bytes_used: count,
    bytes_limit: count,
    rows_used: count,
    rows_limit: count,
    resets_at: z.string(),
  }),
  /** Messages of the day for all users of the client, newest first. */
  motd: z.looseObject({
    rows: z.array(
      z.object({
        id: z.int(),
        title_en: z.string(),
        title_de: z.string(),
        title_es: z.string(),
        type: z.enum(motdTypes).nullable(),
        startdate: z.string(),
      }),
    ),
  }),
} as const satisfies Record<ViewType, z.ZodType>

export type DashboardView<T extends ViewType> = z.infer<(typeof dashboardViews)[T]>
