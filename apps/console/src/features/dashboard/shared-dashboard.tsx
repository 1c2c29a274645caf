import { queryKeys } from '@emma/client/query-keys.ts'
import { viewSharedDashboard } from '@emma/contract/actions/dashboard.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../shell/session/api.ts'
import { SharedPage } from '../../shell/layout/shared-page.tsx'
import { DashboardGrid } from './dashboard-grid.tsx'
import { WidgetContent, WidgetFrame } from './widgets/widget.tsx'

/** Refetch interval in ms. */
const refreshEvery = 60_000

/** A dashboard opened by its share link, without a session (T29). */
export default function SharedDashboard(): ReactNode {
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
    <SharedPage shared={data} error={error}>
      {data && (
        <DashboardGrid widgets={data.widgets}>
          {widget => (
            <WidgetFrame widget={widget} data={widget.data}>
              <WidgetContent widget={widget} data={widget.data} error={null} isShared />
            </WidgetFrame>
          )}
        </DashboardGrid>
      )}
    </SharedPage>
  )
}
