import { queryKeys } from '@emma/client/query-keys.ts'
import { listReports, viewDashboard } from '@emma/contract/actions/reports.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { TimeChart } from '@emma/ui/charts/axis-chart.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { useFormat } from '@emma/ui/words.tsx'
import { Button, Group, Stack } from '@mantine/core'
import { IconSend, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { useCampaignProgress } from '../../shell/campaign-live.tsx'
import { Page } from '../../shell/page.tsx'
import { useClientId } from '../../shell/use-session.ts'
import { useRights } from '../../shell/use-rights.ts'
import { LatestCampaigns } from './latest-campaigns.tsx'

/** Milliseconds between two looks at the figures; campaigns at work tell of themselves over the socket. */
const refreshEvery = 30_000

/** The first look of the day: how many people, what is on its way, what the last campaigns did. */
export default function Dashboard(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const client = useClientId()
  const progress = useCampaignProgress()
  const overview = useQuery({
    queryKey: [...queryKeys.action(viewDashboard), client],
    queryFn: () => api.call(viewDashboard, { params: { type: 'overview' }, ignoreCache: true }),
    refetchInterval: refreshEvery,
  })
  const reports = useQuery({
    queryKey: [...queryKeys.lists(campaign), 'dashboard', client],
    queryFn: () => api.call(listReports, { query: { limit: 8 }, ignoreCache: true }),
    refetchInterval: refreshEvery,
  })
  const { data, isPending } = overview
  const volume = data?.volume ?? []
  return (
    <Page title={t('screens.dashboard')} actions={<QuickActions />}>
      {overview.error ? (
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Stack gap="lg">
          <Figures>
            <Figure
              label={t('dashboard.members_active')}
              value={format.number(data?.members_active)}
              note={data && t('dashboard.of', { total: format.number(data.members_total) })}
              isLoading={isPending}
              onClick={() => void navigate({ to: '/settings/datasources' })}
            />
            <Figure
              label={t('dashboard.sent_month')}
              value={format.number(data?.sent_month)}
              isLoading={isPending}
              onClick={() => void navigate({ to: '/campaigns/reports' })}
            />
            <Figure
              label={t('dashboard.running')}
              value={format.number(data?.campaigns_running)}
              note={data && t('dashboard.scheduled', { count: data.campaigns_scheduled })}
              isLoading={isPending}
              onClick={() => void navigate({ to: '/campaigns/archive' })}
            />
          </Figures>
          <Card title={t('dashboard.volume')}>
            <TimeChart
              label={t('dashboard.volume_label')}
              times={volume.map(day => day.day)}
              series={[
                { name: t('dashboard.sent'), values: volume.map(day => day.sent) },
                { name: t('dashboard.opens'), values: volume.map(day => day.opens) },
                { name: t('dashboard.clicks'), values: volume.map(day => day.clicks) },
              ]}
            />
          </Card>
          <Card title={t('dashboard.latest')} isFlush>
            {reports.error ? (
              <ErrorState error={reports.error} onRetry={() => void reports.refetch()} />
            ) : (
              <LatestCampaigns rows={reports.data?.data} progress={progress} />
            )}
          </Card>
        </Stack>
      )}
    </Page>
  )
}

function QuickActions(): ReactNode {
  const { t } = useTranslation()
  const campaigns = useRights(campaign)
  const datasources = useRights(membertable)
  return (
    <Group gap="xs">
      {datasources.mayCreate && (
        <Button
          component={Link}
          to="/subscribers/dataupload/edit/new"
          variant="default"
          leftSection={<IconUpload size={16} />}
        >
          {t('dashboard.upload')}
        </Button>
      )}
      {campaigns.mayCreate && (
        <Button component={Link} to="/campaigns/edit/new" leftSection={<IconSend size={16} />}>
          {t('dashboard.new_campaign')}
        </Button>
      )}
    </Group>
  )
}
