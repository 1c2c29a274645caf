import { queryKeys } from '@emma/client/query-keys.ts'
import { viewSharedDashboard } from '@emma/contract/actions/dashboard.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Text, Title } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/session/api.ts'
import { brand } from '../../shell/layout/brand.ts'
import { errorText } from '../../shell/i18n/error-text.ts'
import { Logo } from '../../shell/layout/logo.tsx'
import { DashboardGrid } from './dashboard-grid.tsx'
import classes from './dashboard.module.css'
import { WidgetContent, WidgetFrame } from './widgets/widget.tsx'

/** Refetch interval in ms. */
const refreshEvery = 60_000

/** A dashboard opened by its share link, without a session (T29). */
export default function SharedDashboard(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { id }: { id?: string } = useParams({ strict: false })
  const { secret }: { secret?: unknown } = useSearch({ strict: false })
  const { data, error } = useQuery({
    queryKey: queryKeys.action(viewSharedDashboard, { id, secret }),
    queryFn: ({ signal }) =>
      api.call(viewSharedDashboard, {
        params: { id: Number(id) },
        query: { secret: String(secret) },
        ignoreCache: true,
        signal,
      }),
    retry: false,
    refetchInterval: refreshEvery,
  })
  return (
    <main className={classes.shared}>
      <header className={classes.sharedHead}>
        <Logo brand={brand} />
        {data && (
          <div>
            <Title order={1} size="h2">
              {data.name}
            </Title>
            <Text size="sm" c="dimmed">
              {t('dashboard.share.head', { client: data.client, until: format.date(data.expires_at) })}
            </Text>
          </div>
        )}
      </header>
      {!data && error && (
        <EmptyState
          icon={<IconLinkOff size={22} stroke={1.5} aria-hidden />}
          title={t('dashboard.share.dead')}
          text={'status' in error && error.status === 404 ? t('dashboard.share.dead_text') : errorText(error)}
        />
      )}
      {!data && !error && <BlockSkeleton height={360} />}
      {data && (
        <DashboardGrid widgets={data.widgets}>
          {widget => (
            <WidgetFrame widget={widget} data={widget.data}>
              <WidgetContent widget={widget} data={widget.data} error={null} isShared />
            </WidgetFrame>
          )}
        </DashboardGrid>
      )}
    </main>
  )
}
