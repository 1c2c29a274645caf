import { listReports } from '@emma/contract/actions/reports.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { mostCompared } from '@emma/contract/actions/sales-view.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { BulkOpening, Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button } from '@mantine/core'
import { IconArrowsLeftRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { CampaignBadge, campaignStateName, isAtWork } from '../../shell/resource/campaign-state.tsx'
import { Page } from '../../shell/layout/page.tsx'
import { useSocketMessage } from '../../shell/notifications/socket-provider.tsx'
import { usePermission } from '../../shell/session/use-session.ts'
import { comparisonId } from './compare/read-comparison.ts'
import { bouncesOf, type ReportRow, reportQuery } from './report-query.ts'
import { useRateColumn } from '../../shell/resource/rate-column.ts'

const filterNames = ['status', 'reportinggroup_id', 'startdateAfter', 'startdateBefore']
const defaults = { sort: { field: 'started_at', descending: true } }
const states = ['running', 'paused', 'finished', 'stopped', 'archived'] as const
const listKey = ['action', listReports.name] as const

/** List of the reports of all started campaigns. */
export default function ReportList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const queryClient = useQueryClient()
  useSocketMessage('CAMPAIGN_STATUS', () => void queryClient.invalidateQueries({ queryKey: listKey }))
  return (
    <Page title={t('screens.reports')}>
      <ListScreen
        name="report"
        label={t('screens.reports')}
        columns={useColumns()}
        filters={useFilters()}
        rowKey={row => row.campagne_id}
        rowLabel={row => row.name}
        queryKey={listKey}
        load={(query, options) => api.call(listReports, { query: reportQuery(query), ...options })}
        poll={rows => (rows.some(row => isAtWork(row.valid)) ? 5_000 : false)}
        state={state}
        onStateChange={setState}
        href={row => `/campaigns/reports/${row.campagne_id}`}
        bulkActions={[useComparison()]}
        empty={{
          title: t('reports.empty_title'),
          text: t('reports.empty_text'),
          action: (
            <Button component={Link} to="/campaigns/archive">
              {t('reports.to_campaigns')}
            </Button>
          ),
        }}
      />
    </Page>
  )
}

/** Opens the comparison of the selected reports (R039). */
function useComparison(): BulkOpening<ReportRow> {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return {
    id: 'compare',
    label: t('reports.compare.action'),
    icon: <IconArrowsLeftRight size={16} />,
    open: rows => {
      const id = comparisonId(rows.map(row => row.campagne_id))
      if (rows.length < 2) notify.info(t('reports.compare.too_few'))
      else if (rows.length > mostCompared) notify.info(t('reports.compare.too_many', { max: mostCompared }))
      else void navigate({ to: '/campaigns/reports/compare/$id', params: { id } })
    },
  }
}

function useColumns(): Column<ReportRow>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`reports.fields.${field}`)
  const column = useRateColumn<ReportRow>()
  const rate = (id: string, count: (row: ReportRow) => number, all: (row: ReportRow) => number) =>
    column({ id, header: label(id), count, all, width: id === 'unsubscribed' ? 118 : 96 })
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    {
      id: 'valid',
      header: label('valid'),
      sort: 'valid',
      width: 150,
      cell: row => <CampaignBadge valid={row.valid} />,
      text: row => t(`campaign_state.${campaignStateName(row.valid)}`),
    },
    {
      id: 'started_at',
      header: label('started_at'),
      sort: 'started_at',
      width: 174,
      cell: row => format.dateTime(row.started_at),
    },
    {
      id: 'nb_send',
      header: label('nb_send'),
      width: 90,
      align: 'end',
      cell: row => format.number(row.nb_send),
    },
    rate(
      'delivered',
      row => row.nb_delivered,
      row => row.nb_send,
    ),
    rate(
      'opened',
      row => row.nb_open,
      row => row.nb_delivered,
    ),
    rate(
      'clicked',
      row => row.nb_click,
      row => row.nb_delivered,
    ),
    { ...rate('bounced', bouncesOf, row => row.nb_send), wideOnly: true },
    {
      ...rate(
        'unsubscribed',
        row => row.nb_unsubscribe,
        row => row.nb_delivered,
      ),
      wideOnly: true,
    },
    {
      ...rate(
        'complained',
        row => row.nb_complaint,
        row => row.nb_delivered,
      ),
      hidden: true,
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  const mayGroup = usePermission({ all: ['ReportingGroup:get'] })
  const { data: groups = [] } = useQuery({
    queryKey: [...queryKeys.lists(reportingGroup), 'names'],
    queryFn: ({ signal }) => api.listAll(reportingGroup, { sort: { field: 'name' } }, { signal }),
    enabled: mayGroup,
  })
  return [
    {
      name: 'status',
      label: t('reports.fields.valid'),
      kind: 'choice',
      pinned: true,
      options: states.map(name => ({
        value: String(campaignState[name]),
        label: t(`campaign_state.${name}`),
      })),
    },
    {
      name: 'reportinggroup_id',
      label: t('screens.report_groups'),
      kind: 'choice',
      options: groups.map(group => ({ value: String(group.reportinggroup_id), label: group.name })),
    },
    { name: 'startdateAfter', label: t('reports.start_after'), kind: 'date' },
    { name: 'startdateBefore', label: t('reports.start_before'), kind: 'date' },
  ]
}
