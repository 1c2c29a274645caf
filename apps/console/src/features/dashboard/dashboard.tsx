import { queryKeys } from '@emma/client/query-keys.ts'
import { viewDashboard } from '@emma/contract/actions/dashboard.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { lazyComponent } from '@emma/ui/lazy-component.tsx'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconShare } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dashboard as dashboards } from '@emma/contract/resources/dashboard.ts'
import { Page } from '../../shell/layout/page.tsx'
import { useRights } from '../../shell/session/use-rights.ts'
import { useSession } from '../../shell/session/use-session.ts'
import { useSocketMessage } from '../../shell/notifications/socket-provider.tsx'
import { DashboardGrid } from './dashboard-grid.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'
import classes from './dashboard.module.css'
import { FirstSteps } from './first-steps.tsx'
import { QuickActions } from './quick-actions.tsx'
import { standardDashboard } from './standard-dashboard.ts'
import { type Dashboard as DashboardRecord, useDashboards } from './use-dashboards.ts'
import { Widget } from './widgets/widget.tsx'

const DashboardEditor = lazyComponent(
  async () => (await import('./dashboard-editor.tsx')).DashboardEditor,
  () => <BlockSkeleton height={360} />,
)
const DashboardShares = lazyComponent(
  async () => (await import('./dashboard-shares.tsx')).DashboardShares,
  () => null,
)

/** Screen of the user's and the client's dashboards, and the standard one. */
export default function Dashboard(): ReactNode {
  const { t } = useTranslation()
  const { client } = useSession()
  const boards = useDashboards()
  const { mayCreate, mayChange } = useRights(dashboards)
  const [editing, setEditing] = useState<number | null>(null)
  const [shared, setShared] = useState<DashboardRecord | null>(null)
  useFreshFigures()
  const { current, error } = boards
  const isEditing = current !== null && editing === current.dashboard_id
  // The standard dashboard has no record: editing it creates a copy for the user.
  const edit = async () => {
    const board = current ?? (await boards.create(t('dashboard.own_name'), [...standardDashboard]))
    setEditing(board.dashboard_id)
  }
  const toolbar = (
    <div className={classes.toolbar}>
      <DashboardMenu boards={boards} />
      <span className={classes.space} />
      {!isEditing && current && mayChange && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconShare size={16} />}
          onClick={() => setShared(current)}
        >
          {t('dashboard.share.open')}
        </Button>
      )}
      {!isEditing && (current ? mayChange : mayCreate) && (
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPencil size={16} />}
          onClick={() => void edit()}
        >
          {t('dashboard.edit')}
        </Button>
      )}
      {shared && <DashboardShares board={shared} onClose={() => setShared(null)} />}
    </div>
  )
  return (
    <Page title={t('screens.dashboard')} subtitle={client?.name} actions={<QuickActions />} below={toolbar}>
      {error && !boards.isReady && <ErrorState error={error} onRetry={boards.reload} />}
      {!error && !boards.isReady && <BlockSkeleton height={360} />}
      {boards.isReady && !isEditing && current === null && <FirstSteps />}
      {boards.isReady && !isEditing && <Board board={current} onEdit={mayChange ? edit : undefined} />}
      {isEditing && (
        <DashboardEditor key={current.dashboard_id} board={current} onClose={() => setEditing(null)} />
      )}
    </Page>
  )
}

function Board({
  board,
  onEdit,
}: {
  board: DashboardRecord | null
  onEdit: (() => Promise<void>) | undefined
}): ReactNode {
  const { t } = useTranslation()
  const widgets = board?.content ?? standardDashboard
  if (widgets.length === 0)
    return (
      <EmptyState
        title={t('dashboard.no_widgets')}
        text={t('dashboard.no_widgets_text')}
        action={
          onEdit && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => void onEdit()}>
              {t('dashboard.add')}
            </Button>
          )
        }
      />
    )
  return <DashboardGrid widgets={widgets}>{widget => <Widget widget={widget} />}</DashboardGrid>
}

/** Refetches all widgets when a campaign's state changes. */
function useFreshFigures(): void {
  const queryClient = useQueryClient()
  useSocketMessage('CAMPAIGN_STATUS', () => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.action(viewDashboard).slice(0, 2) })
  })
}
