import { queryKeys } from '@emma/client/query-keys.ts'
import { readRecurringReport } from '@emma/contract/actions/recurring.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useLocalListState } from '@emma/ui/list/use-list-state.ts'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../shell/layout/record-page.tsx'
import { CampaignBadge, isAtWork } from '../../shell/resource/campaign-state.tsx'
import { api } from '../../shell/session/api.ts'
import { firstDay, ReportPeriod } from './report-period.tsx'
import { SplitSums } from './split-sums.tsx'
import { shareOf } from '../../shell/resource/share-of.ts'
import { useRateColumn } from '../../shell/resource/rate-column.ts'

type RunRow = Answer<typeof listReports>['data'][number]

/** Report of one recurring campaign: the sums of a period, and the figures of each run (R063). */
export default function RecurringReport(): ReactNode {
  return (
    <RecordPage resource={recurring} back="/recurring/reports">
      {record => record && <Runs id={record.recurring_id} />}
    </RecordPage>
  )
}

function Runs({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  const [days, setDays] = useState(90)
  const [now] = useState(Date.now)
  const [state, setState] = useLocalListState()
  const start = firstDay(now, days)
  return (
    <Stack gap="lg">
      <ReportPeriod days={days} onChange={setDays} />
      <Sums id={id} start={start} />
      <SplitSums id={id} start={start} />
      <ListScreen
        name="recurring-report-runs"
        label={t('recurring.tabs.runs')}
        columns={useColumns()}
        filters={[]}
        isSearchable={false}
        rowKey={row => row.campagne_id}
        rowLabel={row => row.name}
        queryKey={[...queryKeys.action(listReports, id), start]}
        load={({ limit, offset }, { signal }) =>
          api.call(listReports, {
            query: { limit: limit ?? undefined, offset, 'recurring_id[]': id, 'start_date[]': start },
            signal,
          })
        }
        poll={rows => (rows.some(row => isAtWork(row.valid)) ? 5_000 : false)}
        state={state}
        onStateChange={setState}
        href={row => `/campaigns/reports/${row.campagne_id}`}
        empty={{ title: t('recurring.runs.empty_title'), text: t('recurring.report.empty_text') }}
      />
    </Stack>
  )
}

/** Sums of the runs of a period. */
function Sums({ id, start }: { id: number; start: string }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const query = { recurring_id: id, start_date: start }
  const { data } = useQuery({
    queryKey: queryKeys.action(readRecurringReport, query),
    queryFn: ({ signal }) => api.call(readRecurringReport, { query, signal }),
    refetchInterval: ({ state }) => ((state.data?.data[0]?.nb_pending ?? 0) > 0 ? 5_000 : false),
  })
  const sums = data?.data[0]
  const label = (name: string) => t(`recurring.figures.${name}`)
  const number = (value: number | undefined) => format.number(value ?? 0)
  const rate = (count: number | undefined, all: number | undefined) =>
    format.percent(shareOf(count ?? 0, all ?? 0))
  const isLoading = data === undefined
  return (
    <Figures>
      <Figure label={label('runs')} value={number(sums?.runs)} isLoading={isLoading} />
      <Figure label={label('nb_send')} value={number(sums?.nb_send)} isLoading={isLoading} />
      <Figure
        label={label('delivered')}
        value={number(sums?.nb_delivered)}
        note={rate(sums?.nb_delivered, sums?.nb_send)}
        isLoading={isLoading}
      />
      <Figure
        label={label('opened')}
        value={number(sums?.nb_open)}
        note={rate(sums?.nb_open, sums?.nb_delivered)}
        isLoading={isLoading}
      />
      <Figure
        label={label('clicked')}
        value={number(sums?.nb_click)}
        note={rate(sums?.nb_click, sums?.nb_delivered)}
        isLoading={isLoading}
      />
      <Figure
        label={label('unsubscribed')}
        value={number(sums?.nb_unsubscribe)}
        note={rate(sums?.nb_unsubscribe, sums?.nb_delivered)}
        isLoading={isLoading}
      />
    </Figures>
  )
}

function useColumns(): Column<RunRow>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`recurring.figures.${field}`)
  const column = useRateColumn<RunRow>()
  const rate = (id: string, count: (row: RunRow) => number, all: (row: RunRow) => number) =>
    column({ id, header: label(id), count, all, width: 112 })
  return [
    { id: 'name', header: t('recurring.runs.run'), cell: row => row.name },
    {
      id: 'valid',
      header: t('recurring.state'),
      width: 150,
      cell: row => <CampaignBadge valid={row.valid} />,
    },
    {
      id: 'started_at',
      header: t('recurring.runs.started_at'),
      width: 180,
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
  ]
}
