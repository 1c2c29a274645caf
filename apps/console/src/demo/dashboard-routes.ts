import { listShares, viewDashboard } from '@emma/contract/actions/dashboard.ts'
import { dashboard } from '@emma/contract/resources/dashboard.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { advanceCampaigns } from './advance-campaigns.ts'
import { dashboardViews } from './dashboard-views.ts'
import { type DemoState, type DemoRoute, onAction } from './demo-call.ts'
import type { DemoReport, DemoReportingGroup } from './demo-records.ts'
import { recordRoutes } from './record-routes.ts'

export const dashboardRoutes: readonly DemoRoute[] = [
  ...onAction(viewDashboard, async ({ params, query }, state) => {
    await advanceCampaigns(state)
    const reports = await wantedReports(query, state)
    const view = await dashboardViews[params.type]({ ...state, days: query.days ?? 30, reports })
    return { ...view, as_of: state.now().toISOString() }
  }),
  ...onAction(listShares, async () => ({ data: [] })),
  ...recordRoutes({
    resource: dashboard,
    entity: 'dashboard',
    blank: { content: [], is_public: false },
    special: {
      visibility: (row, values) => values.includes(row['is_public'] === true ? 'public' : 'private'),
    },
  }),
  ...recordRoutes({
    resource: reportingGroup,
    entity: 'reporting_group',
    blank: { ...initialValues(reportingGroup), campaigns: 0 },
    settle: async row => ({ ...row, campaigns: countOf(row['campaign_ids']) }),
    special: {
      campaign: (row, values) => {
        const ids: unknown = row['campaign_ids']
        return Array.isArray(ids) && values.some(value => ids.includes(value))
      },
    },
  }),
]

function countOf(ids: unknown): number {
  return Array.isArray(ids) ? ids.length : 0
}

/** Reports of a widget, newest first: of all campaigns, of one, or of a report group. */
async function wantedReports(
  wanted: { campagne_id?: number | undefined; reportinggroup_id?: number | undefined },
  { tables }: DemoState,
): Promise<DemoReport[]> {
  const group =
    wanted.reportinggroup_id === undefined
      ? undefined
      : await tables<DemoReportingGroup>('reporting_group').get(wanted.reportinggroup_id)
  const reports = await tables<DemoReport>('report').all()
  return reports
    .filter(({ campagne_id }) => wanted.campagne_id === undefined || campagne_id === wanted.campagne_id)
    .filter(({ campagne_id }) => group === undefined || group.campaign_ids.includes(campagne_id))
    .toSorted((one, other) => (other.started_at ?? '').localeCompare(one.started_at ?? ''))
}
