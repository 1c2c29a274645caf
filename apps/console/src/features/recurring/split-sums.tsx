import { queryKeys } from '@emma/client/query-keys.ts'
import { readRecurringSplitReport } from '@emma/contract/actions/recurring.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { variantLetter } from '@emma/contract/split.ts'
import type { Counted } from '@emma/contract/statistics/compare-rates.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { type SmallColumn, SmallTable } from '@emma/ui/layout/small-table.tsx'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CountedRate } from '../../shell/resource/counted-rate.tsx'
import { useDifference } from '../../shell/resource/use-difference.ts'
import { differencesOf } from '../../shell/resource/variant-differences.ts'
import { api } from '../../shell/session/api.ts'

type Report = NonNullable<Answer<typeof readRecurringSplitReport>['report']>
type Part = Report['parts'][number]

/** A/B test over the runs of a period, with each variant's sums; nothing without one. */
export function SplitSums({ id, start }: { id: number; start: string }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const params = { id }
  const query = { start_date: start }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(readRecurringSplitReport, { id, ...query }),
    queryFn: ({ signal }) => api.call(readRecurringSplitReport, { params, query, signal }),
  })
  if (!data && error)
    return (
      <Card title={t('recurring.split.title')}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (!data?.report) return null
  const { runs, other_runs: others, split, by } = data.report
  return (
    <Card title={t('recurring.split.title')}>
      <Stack gap="sm">
        <Text size="sm">
          {t('recurring.split.runs', { count: runs })}{' '}
          {others > 0 && t('recurring.split.other_runs', { count: others })}
        </Text>
        <SumsTable report={data.report} />
        <Text size="sm" c="dimmed">
          {t('recurring.split.text', {
            by: t(`reports.split.by.${by}`),
            level: format.percent(split.level),
          })}
        </Text>
      </Stack>
    </Card>
  )
}

function SumsTable({ report }: { report: Report }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const difference = useDifference()
  const label = (key: string) => t(`reports.split.columns.${key}`)
  const { split, compared } = report
  const number = (id: 'recipients' | 'delivered'): SmallColumn<Part> => ({
    id,
    header: label(id),
    align: 'end',
    width: 100,
    cell: part => format.number(part[id]),
  })
  const rate = (id: 'opened' | 'clicked' | 'unsubscribed'): SmallColumn<Part> => ({
    id,
    header: label(id),
    align: 'end',
    width: 136,
    cell: part => <CountedRate counted={countedOf(part, id)} level={split.level} />,
  })
  return (
    <SmallTable
      label={t('recurring.split.title')}
      minWidth={860}
      rows={report.parts}
      rowKey={({ variant }) => String(variant)}
      columns={[
        {
          id: 'variant',
          header: label('variant'),
          cell: ({ variant }) => (
            <>
              <strong>{variantLetter(variant ?? 0)}</strong>
              <Text component="div" size="xs" c="dimmed">
                {differencesOf(report, variant ?? 0).join(' · ')}
              </Text>
            </>
          ),
        },
        number('recipients'),
        number('delivered'),
        rate('opened'),
        rate('clicked'),
        rate('unsubscribed'),
        {
          id: 'difference',
          header: label('difference'),
          align: 'end',
          width: 230,
          cell: ({ variant }) => {
            const found = compared[variant ?? 0]?.difference
            return found ? difference(found) : '–'
          },
        },
      ]}
    />
  )
}

function countedOf(part: Part, id: 'opened' | 'clicked' | 'unsubscribed'): Counted {
  return { n: part.delivered, x: part[id] }
}
