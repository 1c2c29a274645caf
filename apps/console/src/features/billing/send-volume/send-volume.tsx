import { queryKeys } from '@emma/client/query-keys.ts'
import { listSendVolume, type MonthVolume } from '@emma/contract/actions/send-volume.ts'
import { BarChart } from '@emma/ui/charts/axis-chart.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { Page } from '../../../shell/layout/page.tsx'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { CurrentMonth } from './current-month.tsx'
import { DownloadVolume } from './download-volume.tsx'
import { MonthTable } from './month-table.tsx'
import { PriceTable } from './price-table.tsx'
import { useVolumeFormat } from './use-volume-format.ts'

/** Months that the screen shows without a choice, and most of a client: more than 80 years. */
const LAST_MONTHS = 12
const MOST_MONTHS = 1000

const kinds = ['campaign', 'recurring', 'transactional'] as const

const search = z.object({
  period: z.coerce
    .string()
    .regex(/^20\d\d$/)
    .or(z.literal('last'))
    .catch('last'),
})

/** Send volume of the client by month (R045). The URL has the period: the last 12 months, or a year. */
export default function SendVolume(): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { period } = search.parse(useSearch({ strict: false }))
  const { data, error, refetch } = useVolume()
  const months = data ?? []
  const [current] = months
  const isEmpty = months.every(({ total, test }) => total + test === 0)
  const years = [...new Set(months.map(({ invoice_month: month }) => month.slice(0, 4)))]
  const shown = years.includes(period)
    ? months.filter(({ invoice_month: month }) => month.startsWith(period))
    : months.slice(0, LAST_MONTHS)
  return (
    <Page
      title={t('screens.send_volume')}
      subtitle={
        current && t('billing.send_volume.intro', { timezone: current.timezone.replaceAll('_', ' ') })
      }
      actions={!isEmpty && <DownloadVolume months={shown} />}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <BlockSkeleton height={320} />}
      {current && isEmpty && (
        <Stack gap="lg">
          <EmptyState
            title={t('billing.send_volume.empty_title')}
            text={t('billing.send_volume.empty_text')}
          />
          <PriceTable month={current} />
        </Stack>
      )}
      {current && !isEmpty && (
        <Stack gap="lg">
          <CurrentMonth month={current} />
          <Group>
            <NativeSelect
              aria-label={t('billing.send_volume.period')}
              value={years.includes(period) ? period : 'last'}
              data={[
                { value: 'last', label: t('billing.send_volume.last') },
                ...years.map(year => ({ value: year, label: year })),
              ]}
              onChange={event =>
                void navigate({ to: '.', search: { period: event.currentTarget.value }, replace: true })
              }
            />
          </Group>
          <VolumeChart months={shown} />
          <MonthTable months={shown} />
          <PriceTable month={current} />
          <Text size="sm" c="dimmed" maw={760}>
            {t('billing.send_volume.counting')}
          </Text>
        </Stack>
      )}
    </Page>
  )
}

/** All months of the client, newest first; the first one is the current month. */
function useVolume() {
  const clientId = useClientId()
  return useQuery({
    queryKey: queryKeys.action(listSendVolume, { clientId }),
    queryFn: async ({ signal }) => {
      const call = { params: { client_id: clientId }, query: { limit: MOST_MONTHS }, signal }
      return (await api.call(listSendVolume, call)).data
    },
  })
}

function VolumeChart({ months }: { months: readonly MonthVolume[] }): ReactNode {
  const { t } = useTranslation()
  const { shortMonth } = useVolumeFormat()
  const inOrder = months.toReversed()
  const title = t('billing.send_volume.over_time')
  return (
    <Card title={title}>
      <BarChart
        label={title}
        isStacked
        categories={inOrder.map(({ invoice_month: month }) => shortMonth(month))}
        series={kinds.map(kind => ({
          name: t(`billing.send_volume.kinds.${kind}`),
          values: inOrder.map(month => month[kind]),
        }))}
      />
    </Card>
  )
}
