import type { DashboardView } from '@emma/contract/dashboard-views.ts'
import type { ViewType, WidgetOptions } from '@emma/contract/resources/dashboard.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readQuota } from '../audience/uploads/quota.ts'
import { systemActor } from '../resource/actor.ts'
import { lastDays, readPlacementView } from '../deliverability/placement/read-placements.ts'
import { listReports } from '../reports/list-reports.ts'
import { readOverview } from './read-overview.ts'
import * as mails from './read-mail-views.ts'
import * as people from './read-people-views.ts'
import { readViewFilter, type ViewFilter } from './view-filter.ts'

/**
 * Cache lifetime of figures in milliseconds: ten times as long as the query took, within these bounds. Many consoles
 * show the same dashboard, and figures of fast queries are never older than a second.
 */
const SHORTEST_MS = 1_000
const LONGEST_MS = 15_000
const REST_FACTOR = 10
const keptViews = new WeakMap<Db, Map<string, KeptView>>()

interface KeptView {
  until: number
  view: Promise<object>
}

/**
 * Figures of one dashboard widget of a client (R232), with `as_of`: the time of the query; everything before it is
 * included. The caller checks permissions.
 */
export function readView(db: Db, clientId: number, type: ViewType, options: WidgetOptions): Promise<object> {
  const views = keptViews.get(db) ?? new Map<string, KeptView>()
  keptViews.set(db, views)
  for (const [other, { until }] of views) if (until < Date.now()) views.delete(other)
  const name = JSON.stringify([clientId, type, options])
  const known = views.get(name)
  if (known) return known.view
  const start = performance.now()
  const view = countView(db, clientId, type, options)
  const entry = { until: Infinity, view }
  views.set(name, entry)
  view.then(
    () => {
      const rest = (performance.now() - start) * REST_FACTOR
      entry.until = Date.now() + Math.min(Math.max(rest, SHORTEST_MS), LONGEST_MS)
    },
    () => views.delete(name),
  )
  return view
}

async function countView(db: Db, clientId: number, type: ViewType, options: WidgetOptions): Promise<object> {
  const as_of = new Date().toISOString()
  return transaction(db, async tx => {
    const filter = await readViewFilter(tx, clientId, options)
    // Days and months of a dashboard are in the client's time zone.
    await sql`
      select set_config('timezone', timezone, true) from client where client_id = ${clientId}`.execute(tx)
    return { ...(await readers[type](tx, filter)), as_of }
  })
}

const readers: { [T in ViewType]: (db: Db, filter: ViewFilter) => Promise<DashboardView<T> | object> } = {
  overview: (db, { clientId }) => readOverview(db, clientId),
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
  ipci: (db, { clientId, days }) => readPlacementView(db, clientId, lastDays(days)),
  quota: (db, { clientId }) => readQuota(db, clientId),
  motd: people.readMotds,
}

async function readCampaigns(db: Db, { clientId, campaignIds }: ViewFilter) {
  const { data } = await listReports(
    db,
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
