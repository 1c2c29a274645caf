import { queryKeys } from '@emma/client/query-keys.ts'
import { readDomainWarmup, readMailclassWarmup } from '@emma/contract/actions/deliverability.ts'
import { BarChart } from '@emma/ui/charts/axis-chart.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { ProgressLive } from '@emma/ui/layout/progress-live.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'

const actions = { mailclass: readMailclassWarmup, domain: readDomainWarmup }

interface WarmupCardProps {
  what: keyof typeof actions
  id: number
  /** First day of the warm-up; null: no warm-up, and nothing is rendered. */
  start: string | null
  /** Messages per day. */
  volumes: readonly number[]
}

/** Chart of the warm-up of an IP, a login or a domain, and its progress today. */
export function WarmupCard({ what, id, start, volumes }: WarmupCardProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string, values = {}) => t(`deliverability.warmup.${key}`, values)
  const state = useQuery({
    queryKey: queryKeys.action(actions[what], [id, start, ...volumes]),
    queryFn: ({ signal }) => api.call(actions[what], { params: { id }, signal, ignoreCache: true }),
    refetchInterval: 10_000,
    enabled: start !== null,
  })
  if (start === null || volumes.length === 0) return null
  if (state.error)
    return (
      <Card title={text('title')}>
        <Alert color="red" variant="light">
          {errorText(state.error)}
        </Alert>
      </Card>
    )
  if (!state.data)
    return (
      <Card title={text('title')}>
        <Skeleton height={220} />
      </Card>
    )
  const { day, volume, sent } = state.data
  const today = day ?? 0
  const part = (name: string, isIn: (index: number) => boolean) => ({
    name: text(name),
    values: volumes.map((mails, index) => (isIn(index + 1) ? mails : null)),
  })
  return (
    <Card title={text('title')}>
      <Stack gap="md">
        <Text size="sm">
          {today < 1 && text('not_begun', { date: format.date(start) })}
          {today >= 1 && volume !== null && text('day', { day: today, days: volumes.length })}
          {today >= 1 && volume === null && text('warm')}
        </Text>
        {today >= 1 && volume !== null && (
          <ProgressLive label={text('sent')} done={sent} total={volume} isRunning={sent < volume} />
        )}
        <BarChart
          label={text('chart')}
          categories={volumes.map((_, index) => text('nth_day', { day: index + 1 }))}
          series={[
            part('past', nth => nth < today),
            part('today', nth => nth === today),
            part('future', nth => nth > today),
          ]}
          height={200}
          isStacked
        />
      </Stack>
    </Card>
  )
}
