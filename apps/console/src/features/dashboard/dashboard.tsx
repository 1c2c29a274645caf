import { queryKeys } from '@emma/client/query-keys.ts'
import { dashboardViews, viewDashboard } from '@emma/contract/actions/dashboard.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import { Sparkline } from '@emma/ui/charts/sparkline.tsx'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { useFormat } from '@emma/ui/words.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../shell/api.ts'
import { Page } from '../../shell/page.tsx'
import { useSocketMessage } from '../../shell/socket-provider.tsx'
import { useClientId, useSession } from '../../shell/use-session.ts'
import classes from './dashboard.module.css'
import { LatestCampaigns } from './latest-campaigns.tsx'
import { QuickActions } from './quick-actions.tsx'

type Overview = z.infer<typeof dashboardViews.overview>

/** The figures grow by themselves while mails are opened; in ms. */
const refreshEvery = 60_000

/** What a client sees first: how many people, what is on its way, how the last weeks went. */
export default function Dashboard(): ReactNode {
  const { t } = useTranslation()
  const { client } = useSession()
  const clientId = useClientId()
  const queryClient = useQueryClient()
  const overview = useQuery({
    queryKey: queryKeys.action(viewDashboard, { clientId }),
    queryFn: async ({ signal }) =>
      dashboardViews.overview.parse(
        await api.call(viewDashboard, { params: { type: 'overview' }, ignoreCache: true, signal }),
      ),
    refetchInterval: refreshEvery,
  })
  useSocketMessage('CAMPAIGN_STATUS', () => {
    void overview.refetch()
    void queryClient.invalidateQueries({ queryKey: ['action', listReports.name] })
  })
  const { data, error } = overview
  return (
    <Page title={t('screens.dashboard')} subtitle={client?.name} actions={<QuickActions />}>
      <div className={classes.dashboard}>
        {error && !data && <ErrorState error={error} onRetry={() => void overview.refetch()} />}
        {!error && <FirstFigures overview={data} />}
        {data ? <Volume overview={data} /> : !error && <BlockSkeleton height={340} />}
        <LatestCampaigns />
      </div>
    </Page>
  )
}

function FirstFigures({ overview }: { overview: Overview | undefined }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const label = (key: string) => t(`dashboard.figures.${key}`)
  const isLoading = overview === undefined
  const volume = overview?.volume ?? []
  const opens = volume.reduce((sum, day) => sum + day.opens, 0)
  return (
    <Figures>
      <Figure
        label={label('members')}
        isLoading={isLoading}
        value={format.number(overview?.members_active)}
        note={overview && t('dashboard.of', { total: format.number(overview.members_total) })}
        onClick={() => void navigate({ to: '/subscribers/archive' })}
      />
      <Figure
        label={label('sent')}
        isLoading={isLoading}
        value={format.number(overview?.sent_month)}
        chart={<Sparkline values={volume.map(day => day.sent)} />}
      />
      <Figure
        label={label('opens')}
        isLoading={isLoading}
        value={format.number(opens)}
        chart={<Sparkline values={volume.map(day => day.opens)} color="var(--emma-chart-2)" />}
      />
      <Figure
        label={label('running')}
        isLoading={isLoading}
        value={format.number(overview?.campaigns_running)}
        note={overview && t('dashboard.scheduled', { number: format.number(overview.campaigns_scheduled) })}
        onClick={() => void navigate({ to: '/campaigns/archive' })}
      />
    </Figures>
  )
}

function Volume({ overview }: { overview: Overview }): ReactNode {
  const { t } = useTranslation()
  const { volume } = overview
  return (
    <Card title={t('dashboard.volume')}>
      <TimeChart
        label={t('dashboard.volume')}
        look="bar"
        times={volume.map(({ day }) => `${day}T12:00:00Z`)}
        series={(['sent', 'opens', 'clicks'] as const).map(name => ({
          name: t(`dashboard.series.${name}`),
          values: volume.map(day => day[name]),
        }))}
      />
    </Card>
  )
}
