import type { DashboardView } from '@emma/contract/dashboard-views.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import type { ViewType } from '@emma/contract/resources/dashboard.ts'
import type { DemoState } from './demo-call.ts'
import type {
  DemoCampaign,
  DemoDatasource,
  DemoDoiReport,
  DemoDomain,
  DemoMotd,
  DemoReport,
} from './demo-records.ts'
import { dayOf, daysBack } from './seed/random.ts'

interface Wanted extends DemoState {
  /** Length of the period in days, ending today. */
  days: number
  /** Reports of the widget's campaigns, newest first. */
  reports: readonly DemoReport[]
}

/** Figures of the widgets (R232), calculated from the demo's reports. */
export const dashboardViews: { [T in ViewType]: (wanted: Wanted) => Promise<DashboardView<T>> } = {
  async overview(wanted) {
    const sources = await wanted.tables<DemoDatasource>('datasource').all()
    const campaigns = await wanted.tables<DemoCampaign>('campaign').all()
    const month = dayOf(wanted.now()).slice(0, 7)
    const thisMonth = wanted.reports.filter(({ started_at }) => started_at?.startsWith(month))
    return {
      members_active: sum(sources.map(({ stats_active }) => stats_active)),
      members_total: sum(sources.map(({ stats_total }) => stats_total)),
      campaigns_running: campaigns.filter(({ valid }) => valid === campaignState.running).length,
      campaigns_scheduled: campaigns.filter(({ valid }) => valid === campaignState.scheduled).length,
      sent_month: sum(thisMonth.map(({ nb_send }) => nb_send)),
      volume: byDay({ ...wanted, days: 14 }).map(({ day, sent, opens, clicks }) => ({
        day,
        sent,
        opens,
        clicks,
      })),
    }
  },
  campaigns: async ({ reports }) => ({ rows: reports.slice(0, 10) }),
  async funnel({ reports }) {
    const [newest] = reports
    const figure = (name: FunnelFigure) => newest?.[name] ?? 0
    return {
      campagne_id: newest?.campagne_id ?? null,
      name: newest?.name ?? null,
      campaigns: newest ? 1 : 0,
      nb_recipients: figure('nb_recipients'),
      nb_send: figure('nb_send'),
      nb_delivered: figure('nb_delivered'),
      nb_open: figure('nb_open'),
      nb_click: figure('nb_click'),
      nb_unsubscribe: figure('nb_unsubscribe'),
      nb_complaint: figure('nb_complaint'),
    }
  },
  volume: async wanted => ({ days: byDay(wanted).map(({ day, sent, bounced }) => ({ day, sent, bounced })) }),
  rates: async wanted => ({
    days: byDay(wanted).map(({ day, opens, clicks }) => ({
      day,
      opens,
      clicks,
      opens_machine: Math.round(opens * 0.4),
      clicks_machine: Math.round(clicks * 0.06),
    })),
  }),
  bounces: async ({ reports }) => {
    const rows = reports.flatMap(report => report.bounces)
    const classes = Map.groupBy(rows, row => row.class)
    return {
      rows: [...classes].map(([name, same]) => ({
        class: name,
        hard: same[0]?.hard ?? false,
        people: sum(same.map(({ people }) => people)),
      })),
    }
  },
  complaints: async wanted => ({
    days: byDay(wanted).map(({ day, complaints, unsubscribes }) => ({ day, complaints, unsubscribes })),
    sent: sum(wanted.reports.map(({ nb_send }) => nb_send)),
  }),
  links: async ({ reports }) => ({
    rows: reports
      .flatMap(({ links }) => links)
      .map(({ url, name, unique, total }) => ({ url: url ?? '', name, people: unique, clicks: total }))
      .toSorted((one, other) => other.people - one.people)
      .slice(0, 10),
  }),
  async providers({ reports }) {
    const names = Map.groupBy(
      reports.flatMap(({ providers }) => providers),
      ({ provider_id }) => provider_id,
    )
    return {
      rows: [...names].map(([provider_id, same]) => ({
        provider_id,
        name: same[0]?.name ?? '',
        sent: sum(same.map(({ sent }) => sent)),
        accepted: sum(same.map(({ accepted }) => accepted)),
        waiting: 0,
      })),
    }
  },
  motd: async ({ tables, now }) => ({
    rows: (await tables<DemoMotd>('motd').all()).filter(
      ({ startdate, enddate }) =>
        Date.parse(startdate) <= now().getTime() &&
        (enddate === null || Date.parse(enddate) > now().getTime()),
    ),
  }),
  domains: async ({ tables }) => ({ rows: await tables<DemoDomain>('domain').all() }),
  async subscribers({ tables, days, now }) {
    const sources = await tables<DemoDatasource>('datasource').all()
    const doi = await tables<DemoDoiReport>('doi_report').all()
    return {
      active: sum(sources.map(({ stats_active }) => stats_active)),
      total: sum(sources.map(({ stats_total }) => stats_total)),
      days: lastDays(now(), days).map(day => {
        const joined = doi.find(({ date }) => date === day)?.imports ?? 0
        return { day, joined, left: Math.round(joined * 0.3) }
      }),
    }
  },
  async doi({ tables }) {
    const sources = await tables<DemoDatasource>('datasource').all()
    return {
      rows: sources.map(({ member_table_id, name, stats_pending, stats_active }) => ({
        member_table_id,
        name,
        pending: stats_pending,
        active: stats_active,
      })),
    }
  },
  /** Confirmed subscribers are imported daily. */
  async imports({ tables, now, days }) {
    const doi = await tables<DemoDoiReport>('doi_report').all()
    const first = dayOf(daysBack(now(), days))
    return {
      rows: doi
        .filter(({ date }) => date >= first)
        .toSorted((one, other) => other.date.localeCompare(one.date))
        .slice(0, 10)
        .map(({ date, imports }, at) => ({
          id: at + 1,
          filename: `double-opt-in-${date}.csv`,
          status: 3,
          rows: imports,
          rows_read: imports,
          rows_ok: imports,
          created_at: new Date(`${date}T06:00:00`).toISOString(),
        })),
    }
  },
  async queue({ tables }) {
    const { running, scheduled, paused } = campaignState
    const states: readonly number[] = [running, scheduled, paused]
    const campaigns = await tables<DemoCampaign>('campaign').all()
    return {
      rows: campaigns
        .filter(({ valid }) => states.includes(valid))
        .map(({ campagne_id, name, valid, startdate, progress_cur, estimated_volume }) => ({
          campagne_id,
          name,
          valid,
          startdate,
          progress_cur,
          estimated_volume,
        })),
    }
  },
  ipci: async ({ now, days }) => ({
    providers: demoPlacements,
    days: Array.from({ length: Math.min(days, 14) }, (_, index) => ({
      day: dayOf(daysBack(now(), 13 - index)),
      sent: 6,
      inbox: index % 4 === 0 ? 4 : 5,
    })),
  }),
  quota: async ({ now }) => ({
    bytes_used: 48_300_000,
    bytes_limit: 1_000_000_000,
    rows_used: 5_120,
    rows_limit: 5_000_000,
    resets_at: daysBack(now(), -1).toISOString(),
  }),
}

const none = { promotions: 0, spam: 0, other: 0, missing: 0 }
const demoPlacements = [
  { ...none, provider: 'GMX', sent: 28, inbox: 26, spam: 2, delay_s: 3 },
  { ...none, provider: 'Gmail', sent: 28, inbox: 21, promotions: 7, delay_s: 2 },
  { ...none, provider: 'WEB.DE', sent: 28, inbox: 27, missing: 1, delay_s: 4 },
]

type FunnelFigure =
  | 'nb_recipients'
  | 'nb_send'
  | 'nb_delivered'
  | 'nb_open'
  | 'nb_click'
  | 'nb_unsubscribe'
  | 'nb_complaint'

/** Figures per day: messages on the start day of their campaign, opens and clicks on the day of the event. */
function byDay({ reports, days, now }: Pick<Wanted, 'reports' | 'days' | 'now'>) {
  const hits = Map.groupBy(
    reports.flatMap(report => report.opens_clicks_over_time),
    ({ ts }) => dayOf(new Date(ts)),
  )
  return lastDays(now(), days).map(day => {
    const begun = reports.filter(
      ({ started_at }) => started_at !== null && dayOf(new Date(started_at)) === day,
    )
    const total = (count: (report: DemoReport) => number) => sum(begun.map(count))
    return {
      day,
      sent: total(({ nb_send }) => nb_send),
      bounced: total(report => report.nb_hardbounce + report.nb_softbounce + report.nb_otherbounce),
      complaints: total(({ nb_complaint }) => nb_complaint),
      unsubscribes: total(({ nb_unsubscribe }) => nb_unsubscribe),
      opens: sum((hits.get(day) ?? []).map(({ opens }) => opens)),
      clicks: sum((hits.get(day) ?? []).map(({ clicks }) => clicks)),
    }
  })
}

function lastDays(now: Date, days: number): string[] {
  return Array.from({ length: days }, (_, at) => dayOf(daysBack(now, days - 1 - at)))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
