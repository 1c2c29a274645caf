import { listReports } from '@emma/contract/actions/reports.ts'
import { mostCompared } from '@emma/contract/actions/sales-view.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { reportingGroup } from '@emma/contract/resources/reporting-group.ts'
import { ApiError } from '@emma/client/api-error.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Select } from '@emma/ui/select/select.tsx'
import { Alert, Button, Input } from '@mantine/core'
import { IconFolderPlus, IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NameDialog } from '../../../shell/layout/name-dialog.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { ForbiddenScreen } from '../../../shell/states/forbidden-screen.tsx'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { reportQuery } from '../report-query.ts'
import { ComparisonShares } from '../sales/sales-shares.tsx'
import { Comparison } from './comparison.tsx'
import {
  type Comparison as Compared,
  comparisonFilters,
  comparisonId,
  readComparison,
} from './read-comparison.ts'

const campaigns = resourceSource(api, campaign, {
  toOption: row => ({ label: row.name }),
  filters: { started: [true] },
  sort: { field: 'started_at', descending: true },
})

/** Comparison of campaigns, chosen one by one or by a report group (R039). */
export default function CompareReports(): ReactNode {
  const { id }: { id?: string } = useParams({ strict: false })
  const comparison = readComparison(id)
  if (comparison === null) return <NotFoundScreen />
  return <ComparedReports comparison={comparison} />
}

function ComparedReports({ comparison }: { comparison: Compared }): ReactNode {
  const { t } = useTranslation()
  const { ids, groupId } = comparison
  const navigate = useNavigate()
  const { data, error, refetch } = useReports(comparison)
  const group = useQuery({
    queryKey: queryKeys.record(reportingGroup, groupId ?? 'new'),
    queryFn: ({ signal }) => api.find(reportingGroup, groupId ?? 0, {}, { signal }),
    enabled: groupId !== undefined,
  })
  if (group.error instanceof ApiError && group.error.status === 404) return <NotFoundScreen />
  if (error && !data && isForbidden(error)) return <ForbiddenScreen missing={['EmmaReport:get']} />
  const name = group.data?.name ?? t('screens.report_comparison')
  const show = (chosen: readonly number[]) =>
    navigate({ to: '/campaigns/reports/compare/$id', params: { id: comparisonId(chosen) }, replace: true })
  const missing = ids && data ? ids.length - data.data.length : 0
  return (
    <Page
      back="/campaigns/reports"
      title={name}
      actions={
        groupId === undefined ? <SaveGroup ids={ids} /> : <ShareComparison groupId={groupId} name={name} />
      }
    >
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <BlockSkeleton height={320} />}
      {missing > 0 && <Alert mb="md">{t('reports.compare.missing', { count: missing })}</Alert>}
      {data && data.pagination.total > data.data.length && (
        <Alert mb="md">
          {t('reports.compare.newest', { shown: data.data.length, total: data.pagination.total })}
        </Alert>
      )}
      {ids && data && ids.length < mostCompared && (
        <AddReport onAdd={added => void show([...ids, added])} compared={ids} />
      )}
      {data?.data.length === 0 && (
        <EmptyState title={t('reports.compare.empty_title')} text={t('reports.compare.empty_text')} />
      )}
      {data && data.data.length > 0 && (
        <Comparison
          name={name}
          reports={data.data}
          hasReports
          {...(ids && data.data.length > 1
            ? { onRemove: removed => void show(ids.filter(each => each !== removed)) }
            : {})}
        />
      )}
    </Page>
  )
}

function useReports(comparison: Compared) {
  const filters = comparisonFilters(comparison)
  return useQuery({
    queryKey: queryKeys.action(listReports, filters),
    queryFn: ({ signal }) =>
      api.call(listReports, { query: reportQuery({ filters, limit: mostCompared, offset: 0 }), signal }),
    placeholderData: previous => previous,
    refetchInterval: 60_000,
  })
}

interface AddReportProps {
  compared: readonly number[]
  onAdd: (id: number) => void
}

function AddReport({ compared, onAdd }: AddReportProps): ReactNode {
  const { t } = useTranslation()
  const id = useId()
  return (
    <Input.Wrapper label={t('reports.compare.add')} id={id} labelElement="label" mb="md" maw={420}>
      <Select
        inputId={id}
        source={campaigns}
        value={null}
        onChange={added => {
          if (added !== null && !compared.includes(added)) onAdd(added)
        }}
      />
    </Input.Wrapper>
  )
}

/** Keeps the compared campaigns as a report group, which can be shared and gets a combined report. */
function SaveGroup({ ids }: { ids: readonly number[] }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayCreate } = useRights(reportingGroup)
  const [isOpen, setOpen] = useState(false)
  if (!mayCreate) return null
  async function save(name: string): Promise<void> {
    const group = await api.create(reportingGroup, { name, campaign_ids: [...ids] })
    await refresh(reportingGroup)
    await navigate({
      to: '/campaigns/reports/compare/$id',
      params: { id: String(group.reportinggroup_id) },
      replace: true,
    })
  }
  return (
    <>
      <Button variant="default" leftSection={<IconFolderPlus size={16} />} onClick={() => setOpen(true)}>
        {t('reports.compare.save')}
      </Button>
      {isOpen && (
        <NameDialog
          title={t('reports.compare.save')}
          label={t('reports.compare.group_name')}
          save={save}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function ShareComparison({ groupId, name }: { groupId: number; name: string }): ReactNode {
  const { t } = useTranslation()
  const mayShare = usePermission({ all: ['ReportingGroup:post', 'EmmaReport:post'] })
  const [isOpen, setOpen] = useState(false)
  if (!mayShare) return null
  return (
    <>
      <Button variant="default" leftSection={<IconShare size={16} />} onClick={() => setOpen(true)}>
        {t('reports.sales.share')}
      </Button>
      {isOpen && <ComparisonShares groupId={groupId} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}
