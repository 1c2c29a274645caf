import { queryKeys } from '@emma/client/query-keys.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import { mostCompared, viewComparison } from '@emma/contract/actions/sales-view.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SharedPage } from '../../../shell/layout/shared-page.tsx'
import { api } from '../../../shell/session/api.ts'
import { sessionStore } from '../../../shell/session/session-store.ts'
import type { Compared } from '../compare/compared-rates.ts'
import { Comparison as ComparedReports } from '../compare/comparison.tsx'
import { type Comparison, comparisonFilters, readComparison } from '../compare/read-comparison.ts'
import { reportQuery } from '../report-query.ts'

/** Refetch interval in ms. */
const refreshEvery = 60_000

interface Search {
  secret?: unknown
  /** Of users without a secret: what a link would show. */
  shows_complaints?: unknown
}

interface SharedReports {
  name: string
  client: string
  expires_at: string | null
  reports: readonly Compared[]
  total: number
}

/** Comparison as customers see it: for users, and of a report group for anybody with a link (R026). */
export default function SharedComparison(): ReactNode {
  const { t } = useTranslation()
  const { id }: { id?: string } = useParams({ strict: false })
  const search: Search = useSearch({ strict: false })
  const { data, error } = useQuery({
    queryKey: queryKeys.action(viewComparison, { id, ...search }),
    queryFn: ({ signal }) => loadReports(readComparison(id), search, signal),
    retry: false,
    refetchInterval: refreshEvery,
  })
  const name = data?.name || t('screens.report_comparison')
  return (
    <SharedPage shared={data && { ...data, name }} error={error}>
      {data && data.total > data.reports.length && (
        <Alert mb="md">
          {t('reports.compare.newest', { shown: data.reports.length, total: data.total })}
        </Alert>
      )}
      {data?.reports.length === 0 && (
        <EmptyState title={t('reports.compare.empty_title')} text={t('reports.compare.empty_text')} />
      )}
      {data && data.reports.length > 0 && <ComparedReports name={name} reports={data.reports} />}
    </SharedPage>
  )
}

/** The name is empty for campaigns without a report group. */
async function loadReports(
  comparison: Comparison | null,
  { secret, shows_complaints }: Search,
  signal: AbortSignal,
): Promise<SharedReports> {
  const options = { ignoreCache: true, signal }
  const { ids, groupId = 0 } = comparison ?? {}
  if (secret !== undefined)
    return api.call(viewComparison, {
      params: { id: groupId },
      query: { secret: typeof secret === 'string' ? secret : '' },
      ...options,
    })
  const filters = comparisonFilters(comparison ?? { groupId })
  const [group, page] = await Promise.all([
    ids ? null : api.find(reportingGroup, groupId, {}, options),
    api.call(listReports, { query: reportQuery({ filters, limit: mostCompared, offset: 0 }), ...options }),
  ])
  const reports = page.data.map(row => (shows_complaints === false ? { ...row, nb_complaint: null } : row))
  return {
    name: group?.name ?? '',
    client: sessionStore.get().client?.name ?? '',
    expires_at: null,
    reports,
    total: page.pagination.total,
  }
}
