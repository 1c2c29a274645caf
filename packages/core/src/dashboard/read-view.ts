import type { DashboardView } from '@emma/contract/dashboard-views.ts'
import type { ViewType, WidgetOptions } from '@emma/contract/resources/dashboard.ts'
import type { Sql } from '@emma/db/connection.ts'
import { readQuota } from '../audience/upload/quota.ts'
import { systemActor } from '../resource/actor.ts'
import { listReports } from '../reports/list-reports.ts'
import { readOverview } from './read-overview.ts'
import * as mails from './read-mail-views.ts'
import * as people from './read-people-views.ts'
import { readViewFilter, type ViewFilter } from './view-filter.ts'

/** Milliseconds for which equal figures are not counted again: many consoles show the same dashboard. */
const kept = 15_000
const keptViews = new WeakMap<Sql, Map<string, { until: number; view: Promise<unknown> }>>()

/** The figures of one widget of a client (R232). The caller sees to it that they may be shown. */
export function readView(
  sql: Sql,
  clientId: number,
  type: ViewType,
  options: WidgetOptions,
): Promise<unknown> {
  const views = keptViews.get(sql) ?? new Map<string, { until: number; view: Promise<unknown> }>()
  keptViews.set(sql, views)
  for (const [other, { until }] of views) if (until < Date.now()) views.delete(other)
  const name = JSON.stringify([clientId, type, options])
  const known = views.get(name)
  if (known) return known.view
  const view = countView(sql, clientId, type, options)
  views.set(name, { until: Date.now() + kept, view })
  view.catch(() => views.delete(name))
  return view
}

async function countView(
  sql: Sql,
  clientId: number,
  type: ViewType,
  options: WidgetOptions,
): Promise<unknown> {
  const filter = await readViewFilter(sql, clientId, options)
  return readers[type](sql, filter)
}

const readers: { [T in ViewType]: (sql: Sql, filter: ViewFilter) => Promise<DashboardView<T> | object> } = {
  overview: (sql, { clientId }) => readOverview(sql, clientId),
  campaigns: readCampaigns,
  funnel: mails.readFunnel,
  volume: mails.readVolume,
  rates: mails.readRates,
  bounces: mails.readBounces,
  complaints: mails.readComplaints,
  links: mails.readLinks,
  providers: mails.readProviders,
  queue: mails.readQueue,
  domains: people.readDomains,
  subscribers: people.readSubscribers,
  doi: people.readDoi,
  imports: people.readImports,
  quota: (sql, { clientId }) => readQuota(sql, clientId),
  motd: people.readMotds,
}

async function readCampaigns(sql: Sql, { clientId, campaignIds }: ViewFilter) {
  const { data } = await listReports(
    sql,
    systemActor(clientId),
    { clientIds: [clientId] },
    {
      limit: 8,
      offset: 0,
      search: null,
      sort: null,
      filters: campaignIds ? { campagne_id: [...campaignIds] } : {},
      included: [],
      superadminview: false,
    },
  )
  return { rows: data }
}
