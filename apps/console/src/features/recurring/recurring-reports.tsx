import { queryKeys } from '@emma/client/query-keys.ts'
import { readRecurringReport, type RecurringReportRow } from '@emma/contract/actions/recurring.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../shell/layout/page.tsx'
import { api } from '../../shell/session/api.ts'
import { firstDay, ReportPeriod } from './report-period.tsx'
import { useRateColumn } from '../../shell/resource/rate-column.ts'

/** Reports of recurring campaigns: the sums of their runs in a period (R062). */
export default function RecurringReports(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useLocalListState()
  const [days, setDays] = useState(90)
  const [now] = useState(Date.now)
  return (
    <Page
      title={t('screens.recurring_reports')}
      subtitle={t('recurring.report.subtitle')}
      actions={<ReportPeriod days={days} onChange={setDays} />}
    >
      <ListScreen
        name="recurring-report"
        label={t('screens.recurring_reports')}
        columns={useColumns()}
        filters={[]}
        isSearchable={false}
        rowKey={row => row.recurring_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.action(readRecurringReport, days)}
        load={({ limit, offset }, { signal }) =>
          api.call(readRecurringReport, {
            query: { limit, offset, start_date: firstDay(now, days) },
            signal,
          })
        }
        state={state}
        onStateChange={setState}
        href={row => `/recurring/reports/${row.recurring_id}`}
        empty={{
          title: t('recurring.report.empty_title'),
          text: t('recurring.report.empty_text'),
          action: (
            <Button component={Link} to="/recurring/archive">
              {t('recurring.report.to_list')}
            </Button>
          ),
        }}
      />
    </Page>
  )
}

function useColumns(): Column<RecurringReportRow>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`recurring.figures.${field}`)
  const number = (id: string, valueOf: (row: RecurringReportRow) => number): Column<RecurringReportRow> => ({
    id,
    header: label(id),
    width: 100,
    align: 'end',
    cell: row => format.number(valueOf(row)),
    text: valueOf,
  })
  const column = useRateColumn<RecurringReportRow>()
  const rate = (
    id: string,
    count: (row: RecurringReportRow) => number,
    all: (row: RecurringReportRow) => number,
  ) => column({ id, header: label(id), count, all, width: 112 })
  return [
    { id: 'name', header: t('recurring.recurring.fields.name'), cell: row => row.name },
    {
      id: 'last_run',
      header: t('recurring.recurring.fields.last_run'),
      width: 180,
      cell: row => format.dateTime(row.last_run),
    },
    number('runs', row => row.runs),
    number('nb_send', row => row.nb_send),
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
    {
      ...rate(
        'unsubscribed',
        row => row.nb_unsubscribe,
        row => row.nb_delivered,
      ),
      wideOnly: true,
    },
  ]
}
