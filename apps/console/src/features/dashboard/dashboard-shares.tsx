import { queryKeys } from '@emma/client/query-keys.ts'
import { listShares, revokeShare, shareDashboard } from '@emma/contract/actions/dashboard.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ShareDialog } from '../../shell/resource/share-dialog.tsx'
import { api } from '../../shell/session/api.ts'
import type { Dashboard } from './use-dashboards.ts'

/** Share links of a dashboard. */
export function DashboardShares({ board, onClose }: { board: Dashboard; onClose: () => void }): ReactNode {
  const { t } = useTranslation()
  const params = { id: board.dashboard_id }
  return (
    <ShareDialog
      name={board.name}
      about={t('dashboard.share.text')}
      queryKey={queryKeys.action(listShares, params)}
      list={signal => api.call(listShares, { params, ignoreCache: true, signal })}
      make={days => api.call(shareDashboard, { params, body: { days } })}
      revoke={share_id => api.call(revokeShare, { params: { ...params, share_id } })}
      path={`/dashboard/shared/${board.dashboard_id}`}
      onClose={onClose}
    />
  )
}
