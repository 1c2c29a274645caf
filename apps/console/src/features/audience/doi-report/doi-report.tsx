import { queryKeys } from '@emma/client/query-keys.ts'
import { doiReport } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { Page } from '../../../shell/layout/page.tsx'
import { RecordName } from '../../../shell/resource/record-name.tsx'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'

type Row = Answer<typeof doiReport>['data'][number]

const groups = ['date', 'source', 'form'] as const
const periods = [7, 30, 90, 365] as const
const counts = ['requested', 'sent', 'confirmed', 'expired'] as const

const search = z.object({
  group: z.enum(groups).catch('date'),
  days: z.coerce.number().pipe(z.literal(periods)).catch(30),
})

/** Confirmation requests of the client by day, source and form (R177). The URL has the period and the grouping. */
export default function DoiReport(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { group, days } = search.parse(useSearch({ strict: false }))
  const choose = (change: Partial<z.infer<typeof search>>) =>
    void navigate({ to: '.', search: { group, days, ...change }, replace: true })
  const daily = useReport('date', days)
  const grouped = useReport(group, days)
  const error = daily.error ?? grouped.error
  const retry = () => void Promise.all([daily.refetch(), grouped.refetch()])
  return (
    <Page title={t('screens.doi_report')} subtitle={t('audience.doi_report.intro')}>
      <Stack gap="lg">
        <Group>
          <NativeSelect
            aria-label={t('audience.doi_report.period')}
            value={String(days)}
            data={periods.map(value => ({
              value: String(value),
              label: t('audience.doi_report.days', { count: value }),
            }))}
            onChange={event => choose({ days: search.parse({ days: event.currentTarget.value }).days })}
          />
          <SegmentedControl
            aria-label={t('audience.doi_report.group')}
            value={group}
            data={groups.map(value => ({ value, label: t(`audience.doi_report.groups.${value}`) }))}
            onChange={value => choose({ group: search.parse({ group: value }).group })}
          />
        </Group>
        {error && <ErrorState error={error} onRetry={retry} />}
        {!error && !(daily.data && grouped.data) && <BlockSkeleton height={320} />}
        {daily.data && grouped.data && (
          <Report days={daily.data.data} rows={grouped.data.data} group={group} />
        )}
      </Stack>
    </Page>
  )
}

/** Newest day first. */
function useReport(group: (typeof groups)[number], days: number) {
  const clientId = useClientId()
  const [now] = useState(Date.now)
  const start = new Date(now - (days - 1) * 86_400_000).toISOString().slice(0, 10)
  const query = { group, start_date: start, limit: 1000 }
  return useQuery({
    queryKey: queryKeys.action(doiReport, { clientId, ...query }),
    queryFn: ({ signal }) => api.call(doiReport, { params: { client_id: clientId }, query, signal }),
  })
}

interface ReportProps {
  days: readonly Row[]
  rows: readonly Row[]
  group: (typeof groups)[number]
}

function Report({ days, rows, group }: ReportProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (days.length === 0)
    return (
      <EmptyState title={t('audience.doi_report.empty_title')} text={t('audience.doi_report.empty_text')} />
    )
  const total = (name: (typeof counts)[number]) => days.reduce((sum, row) => sum + row[name], 0)
  const sent = total('sent')
  const inOrder = days.toReversed()
  return (
    <>
      <Figures>
        {counts.map(name => (
          <Figure
            key={name}
            label={t(`audience.doi_report.figures.${name}`)}
            value={format.number(total(name))}
          />
        ))}
        <Figure
          label={t('audience.doi_report.figures.rate')}
          value={format.percent(sent > 0 ? total('confirmed') / sent : 0)}
        />
      </Figures>
      <Card title={t('audience.doi_report.over_time')}>
        <TimeChart
          label={t('audience.doi_report.over_time')}
          times={inOrder.map(row => `${row.date}T12:00:00Z`)}
          series={(['requested', 'confirmed'] as const).map(name => ({
            name: t(`audience.doi_report.figures.${name}`),
            values: inOrder.map(row => row[name]),
          }))}
        />
      </Card>
      <Card title={t(`audience.doi_report.groups.${group}`)}>
        <SmallTable
          label={t(`audience.doi_report.groups.${group}`)}
          minWidth={640}
          rows={rows}
          rowKey={({ date, source, form_id }) => `${date} ${source} ${form_id}`}
          columns={[
            {
              id: group,
              header: t(`audience.doi_report.columns.${group}`),
              cell: row => <GroupName row={row} group={group} />,
            },
            ...counts.map(name => ({
              id: name,
              header: t(`audience.doi_report.figures.${name}`),
              align: 'end' as const,
              cell: (row: Row) => format.number(row[name]),
            })),
            {
              id: 'rate',
              header: t('audience.doi_report.figures.rate'),
              align: 'end',
              cell: row => format.percent(row.rate),
            },
          ]}
        />
      </Card>
    </>
  )
}

function GroupName({ row, group }: { row: Row; group: (typeof groups)[number] }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (group === 'date') return format.date(`${row.date}T12:00:00Z`)
  if (group === 'source') return t(`audience.doi_report.sources.${row.source ?? 'console'}`)
  if (row.form_id === null) return t('audience.doi_report.no_form')
  return <RecordName resource={webform} id={row.form_id} />
}
