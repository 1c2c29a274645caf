import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { dashboard, type Widget } from '@emma/contract/resources/dashboard.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../shell/session/api.ts'
import { savePreference } from '../../shell/resource/preferences.ts'
import { refresh, removeRecord, restoreRecord } from '../../shell/resource/record-calls.ts'
import { useClientId, useSession } from '../../shell/session/use-session.ts'

export type Dashboard = RecordOf<typeof dashboard>

export interface Dashboards {
  all: readonly Dashboard[]
  /** The dashboard on the screen; null for the standard one. */
  current: Dashboard | null
  /** Id of the dashboard shown first; null for the standard one. */
  first: number | null
  isReady: boolean
  error: Error | null
  reload: () => void
  open: (id: number | null) => void
  create: (name: string, content: Widget[]) => Promise<Dashboard>
  change: (board: Dashboard, values: Partial<Pick<Dashboard, 'name' | 'is_public'>>) => Promise<void>
  /** Deletes the dashboard; the result restores it. */
  remove: (board: Dashboard) => Promise<{ restore: () => Promise<void> }>
  setFirst: (id: number | null) => Promise<void>
}

/** Search parameter of the standard dashboard. */
const standard = 'standard'

/** The dashboards that the user may read, and the current one: from the URL, else from the user's preference. */
export function useDashboards(): Dashboards {
  const clientId = useClientId()
  const { custom } = useSession()
  const navigate = useNavigate()
  const { board }: { board?: unknown } = useSearch({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.lists(dashboard), 'all', clientId],
    queryFn: ({ signal }) =>
      api.listAll(
        dashboard,
        { sort: { field: 'name' }, filters: { client_id: [clientId] } },
        { signal, ignoreCache: true },
      ),
  })
  const all = data ?? []
  const first = typeof custom['dashboard_id'] === 'number' ? custom['dashboard_id'] : null
  const wanted = board === undefined ? first : Number(board)
  const open = (id: number | null) =>
    void navigate({ to: '/dashboard', search: id === null ? { board: standard } : { board: id } })
  return {
    all,
    current: all.find(({ dashboard_id }) => dashboard_id === wanted) ?? null,
    first,
    isReady: data !== undefined,
    error,
    reload: () => void refetch(),
    open,
    async create(name, content) {
      const made = await api.create(dashboard, { client_id: clientId, name, content, is_public: false })
      await refresh(dashboard)
      open(made.dashboard_id)
      return made
    },
    async change(changed, values) {
      await api.patch(dashboard, changed.dashboard_id, values, { revision: changed.revision })
      await refresh(dashboard)
    },
    async remove(removed) {
      const { dashboard_id: id } = removed
      await removeRecord(dashboard, id)
      if (first === id) await savePreference({ dashboard_id: null })
      open(null)
      return {
        async restore() {
          await restoreRecord(dashboard, id)
          if (first === id) await savePreference({ dashboard_id: id })
          open(id)
        },
      }
    },
    setFirst: id => savePreference({ dashboard_id: id }),
  }
}
