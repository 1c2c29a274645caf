import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { readTransactionalReport } from '@emma/contract/actions/transactional.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'

type Day = Answer<typeof readTransactionalReport>['data'][number]

const periods = [7, 30, 90, 365] as const
const counts = ['nb_send', 'nb_delivered', 'nb_open', 'nb_click', 'nb_hardbounce', 'nb_preblock'] as const

/** Figures of a transactional email by day (R235). */
export function DayReport({ record }: { record: RecordOf<typeof transactionalcampaign> }): ReactNode {
  const { t } = useTranslation()
  const [days, setDays] = useState<number>(30)
  const [now] = useState(Date.now)
  const query = {
    client_id: record.client_id,
    transactional_id: record.id,
    start_date: new Date(now - (days - 1) * 86_400_000).toISOString().slice(0, 10),
  }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(readTransactionalReport, query),
    queryFn: ({ signal }) => api.call(readTransactionalReport, { query, signal }),
  })
  return (
    <Stack gap="lg">
      <NativeSelect
        w="fit-content"
        aria-label={t('transactional.report.period')}
        value={String(days)}
        data={periods.map(value => ({
          value: String(value),
          label: t('transactional.report.days', { count: value }),
        }))}
        onChange={event => setDays(Number(event.currentTarget.value))}
      />
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <BlockSkeleton height={320} />}
      {data && <Days days={data.data} />}
    </Stack>
  )
}

function Days({ days }: { days: readonly Day[] }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  if (days.length === 0)
    return (
      <EmptyState title={t('transactional.report.empty_title')} text={t('transactional.report.empty_text')} />
    )
  const inOrder = days.toReversed()
  const title = t('transactional.report.over_time')
  return (
    <>
      <Figures>
        {counts.map(name => (
          <Figure
            key={name}
            label={t(`transactional.figures.${name}`)}
            value={format.number(days.reduce((sum, day) => sum + day[name], 0))}
          />
        ))}
      </Figures>
      <Card title={title}>
        <TimeChart
          label={title}
          times={inOrder.map(day => `${day.date}T12:00:00Z`)}
          series={(['nb_send', 'nb_open', 'nb_click'] as const).map(name => ({
            name: t(`transactional.figures.${name}`),
            values: inOrder.map(day => day[name]),
          }))}
        />
      </Card>
      <Card title={t('transactional.report.by_day')}>
        <SmallTable
          label={t('transactional.report.by_day')}
          minWidth={640}
          rows={days}
          rowKey={day => day.date}
          columns={[
            {
              id: 'date',
              header: t('transactional.report.day'),
              cell: day => format.day(`${day.date}T12:00:00Z`),
            },
            ...counts.map(name => ({
              id: name,
              header: t(`transactional.figures.${name}`),
              align: 'end' as const,
              cell: (day: Day) => format.number(day[name]),
            })),
          ]}
        />
      </Card>
    </>
  )
}
