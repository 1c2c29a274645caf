import {
  clickReport,
  doiReport,
  findReport,
  lastResults,
  listReports,
  mtaReport,
  preblockReport,
  viewReport,
} from '@emma/contract/actions/reports.ts'
import {
  listComparisonShares,
  listReportShares,
  readSalesView,
  salesReport,
} from '@emma/contract/actions/sales-view.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { demoClientId } from '@emma/contract/session.ts'
import { z } from 'zod'
import { advanceCampaigns } from './advance-campaigns.ts'
import { type DemoState, type DemoRoute, type Fields, onAction, pageOf, parse } from './demo-call.ts'
import type { DemoCampaign, DemoDoiReport, DemoReport, DemoReportingGroup } from './demo-records.ts'
import { learnedTimeRoutes } from './learned-time-routes.ts'
import type { DemoEntity } from './demo-tables.ts'
import { demoPage, narrowRows } from './narrow-rows.ts'
import { dayOf, daysBack } from './seed/random.ts'
import { sendVolumeRoutes } from './send-volume-routes.ts'

export const reportRoutes: readonly DemoRoute[] = [
  ...learnedTimeRoutes,
  {
    method: listReports.method,
    path: listReports.paths[0],
    async answer({ query }, state) {
      await advanceCampaigns(state)
      const { tables } = state
      const reports = await tables<DemoReport>('report').all()
      const rows = await Promise.all(
        reports.map(async report => ({
          ...(await tables<Fields>('campaign').get(report.campagne_id)),
          ...report,
        })),
      )
      const groups = await tables<DemoReportingGroup>('reporting_group').all()
      return narrowRows(
        campaign,
        rows,
        { orderby: 'started_at', desc: 'true', ...query },
        {
          reportinggroup_id: (row, values) =>
            groups
              .filter(({ reportinggroup_id }) => values.includes(reportinggroup_id))
              .some(({ campaign_ids }) => campaign_ids.includes(Number(row['campagne_id']))),
        },
      )
    },
  },
  ...onAction(lastResults, async ({ query }, state) => {
    await advanceCampaigns(state)
    const campaigns = await state.tables<DemoCampaign>('campaign').all()
    const reports = await state.tables<DemoReport>('report').all()
    return query.message_ids.flatMap(id => {
      const [last] = campaigns
        .filter(({ message_id, started_at }) => message_id === id && started_at !== null)
        .toSorted((a, b) => String(b.started_at).localeCompare(String(a.started_at)))
      const report = reports.find(({ campagne_id }) => campagne_id === last?.campagne_id)
      return last && report
        ? [{ ...report, message_id: id, name: last.name, started_at: String(last.started_at) }]
        : []
    })
  }),
  ...onAction(findReport, ({ params }, state) => reportNow(params.id, state)),
  ...onAction(viewReport, ({ params }, state) => reportNow(params.campaign_id, state)),
  ...onAction(clickReport, async ({ params }, state) =>
    whole((await reportNow(params.campaign_id, state)).links),
  ),
  ...onAction(mtaReport, async ({ params }, state) =>
    whole((await reportNow(params.campaign_id, state)).providers),
  ),
  ...onAction(preblockReport, async ({ params }, state) =>
    whole((await reportNow(params.campaign_id, state)).preblocks),
  ),
  ...onAction(readSalesView, async ({ params, query }, state) => {
    const report = await reportNow(params.id, state)
    const campaign = await state.tables<Fields>('campaign').get(params.id)
    const client = await state.tables<{ name: string }>('client').get(demoClientId)
    return salesReport.parse({
      ...campaign,
      ...report,
      client: client?.name ?? '',
      expires_at: null,
      nb_complaint: query.shows_complaints ? report.nb_complaint : null,
      nb_preblock: query.shows_preblocks ? report.nb_preblock : null,
    })
  }),
  // Links are for people outside the demo: there are none, and none can be made.
  ...onAction(listReportShares, async () => ({ data: [] })),
  ...onAction(listComparisonShares, async () => ({ data: [] })),
  ...byDate('/transactional-report/', 'transactional_report'),
  ...onAction(doiReport, ({ query }, state) => demoDoiReport(query, state)),
  ...sendVolumeRoutes,
]

async function reportNow(id: number, state: DemoState): Promise<DemoReport> {
  await advanceCampaigns(state)
  const found = await state.tables<DemoReport>('report').get(id)
  if (!found) throw new EmmaError('not_found')
  return found
}

/** Everybody signs up in the first web form. */
async function demoDoiReport(
  { group, start_date, end_date, limit, offset }: z.output<typeof doiReport.query>,
  { tables, now }: DemoState,
) {
  const first = start_date ?? dayOf(daysBack(now(), 29))
  const last = end_date ?? dayOf(now())
  const all = await tables<DemoDoiReport>('doi_report').all()
  const days = all
    .filter(({ date }) => date >= first && date <= last)
    .toSorted((one, other) => other.date.localeCompare(one.date))
  const [form] = await tables<{ webform_id: number }>('webform').all()
  const sum = (name: 'requested' | 'sent' | 'confirmed' | 'expired') =>
    days.reduce((total, day) => total + day[name], 0)
  const total = {
    requested: sum('requested'),
    sent: sum('sent'),
    confirmed: sum('confirmed'),
    expired: sum('expired'),
    rate: sum('confirmed') / sum('sent'),
  }
  const rows = {
    date: days.map(day => ({ ...day, source: null, form_id: null, rate: day.confirmed / day.sent })),
    source: [{ date: null, source: 'form', form_id: null, ...total }],
    form: [{ date: null, source: null, form_id: form?.webform_id ?? null, ...total }],
  }
  return pageOf<Answer<typeof doiReport>['data'][number]>(rows[group], limit, offset)
}

function whole<Row>(rows: readonly Row[]) {
  return pageOf(rows, rows.length, 0)
}

const paging = z.object({
  limit: z.coerce.number().int().min(0).default(demoPage),
  offset: z.coerce.number().int().min(0).default(0),
})

const dates = paging.extend({ start_date: z.iso.date().optional(), end_date: z.iso.date().optional() })

/** Figures by day, newest first; without dates, those of the last 7 days (R312). */
function byDate(path: string, entity: DemoEntity): DemoRoute[] {
  return [
    {
      method: 'GET',
      path,
      async answer({ query }, { tables, now }) {
        const { limit, offset, start_date, end_date } = parse(dates, query)
        const first = start_date ?? dayOf(daysBack(now(), 7))
        const last = end_date ?? dayOf(now())
        const days = await tables<{ date: string }>(entity).all()
        const wanted = days.filter(({ date }) => date >= first && date <= last)
        return pageOf(wanted.toReversed(), limit, offset)
      },
    },
  ]
}
