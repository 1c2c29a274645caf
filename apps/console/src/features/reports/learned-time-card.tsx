import { queryKeys } from '@emma/client/query-keys.ts'
import { learnedReport } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { BarChart } from '@emma/ui/charts/axis-chart.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { type SmallColumn, SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hoursOfDay } from '../../shell/i18n/hours-of-day.ts'
import { api } from '../../shell/session/api.ts'
import { useDifference } from '../../shell/resource/use-difference.ts'

type Report = Answer<typeof learnedReport>
type Group = Report['groups'][number]

/** Refetch interval in ms: emails go out over a day. */
const REFRESH = 60_000

/** Result of learned send times: what each group got, and whether it helped. */
export function LearnedTimeCard({
  campaign: { client_id, campagne_id },
}: {
  campaign: { client_id: number; campagne_id: number }
}): ReactNode {
  const { t } = useTranslation()
  const params = { client_id, campaign_id: campagne_id }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(learnedReport, params),
    queryFn: ({ signal }) => api.call(learnedReport, { params, signal }),
    refetchInterval: REFRESH,
  })
  return (
    <Card title={t('reports.learned_time.title')}>
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <BlockSkeleton height={240} />}
      {data && (
        <Stack gap="md">
          <Comparisons report={data} />
          <Groups report={data} />
          <div>
            <Text size="sm" fw={600}>
              {t('reports.learned_time.chart')}
            </Text>
            <BarChart
              label={t('reports.learned_time.chart')}
              height={200}
              isStacked
              categories={hoursOfDay}
              series={[
                { name: t('reports.learned_time.groups.focus'), values: data.by_hour.focus },
                { name: t('reports.learned_time.random'), values: data.by_hour.explore },
              ]}
            />
          </div>
        </Stack>
      )}
    </Card>
  )
}

function Comparisons({ report: { compared, groups, window_hours } }: { report: Report }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const difference = useDifference()
  const shown = compared.filter(({ control, learned }) => control.n > 0 && learned.n > 0)
  const waiting = groups.reduce((sum, { delivered, settled }) => sum + delivered - settled, 0)
  const rate = ({ n, x }: { n: number; x: number }) => format.percent(x / n)
  return (
    <div aria-live="polite">
      {shown.length === 0 && <Text fw={600}>{t('reports.learned_time.empty')}</Text>}
      {shown.map(({ by, among, control, learned, ...interval }) => (
        <Text key={by + among} size="sm">
          <strong>{t(`reports.learned_time.among.${among}`)}:</strong>{' '}
          {t(`reports.learned_time.${verdictOf(interval)}`, {
            by: t(`reports.learned_time.by.${by}`),
            learned: rate(learned),
            control: rate(control),
            difference: difference(interval),
          })}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {shown.length > 0 && `${t('reports.learned_time.level')} `}
        {t('reports.learned_time.rule', { hours: window_hours, waiting: format.number(waiting) })}
      </Text>
    </div>
  )
}

/** A difference is proven if its interval does not contain 0. */
function verdictOf({ low, high }: { low: number | null; high: number | null }) {
  if (low !== null && low > 0) return 'better'
  return high !== null && high < 0 ? 'worse' : 'unclear'
}

function Groups({ report: { groups } }: { report: Report }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (key: string) => t(`reports.learned_time.${key}`)
  const number = (id: 'recipients' | 'delivered' | 'settled'): SmallColumn<Group> => ({
    id,
    header: label(id),
    align: 'end',
    width: 100,
    cell: group => format.number(group[id]),
  })
  const rate = (id: 'opened' | 'clicked'): SmallColumn<Group> => ({
    id,
    header: label(id),
    align: 'end',
    width: 100,
    cell: group => (group.settled === 0 ? '–' : format.percent(group[id] / group.settled)),
  })
  return (
    <SmallTable
      label={label('title')}
      columns={[
        { id: 'group', header: label('group'), cell: ({ group }) => label(`groups.${group}`) },
        number('recipients'),
        number('delivered'),
        number('settled'),
        rate('opened'),
        rate('clicked'),
      ]}
      rows={groups}
      rowKey={({ group }) => group}
      minWidth={720}
    />
  )
}
