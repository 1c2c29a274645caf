import { queryKeys } from '@emma/client/query-keys.ts'
import { listAuditLog } from '@emma/contract/actions/audit-log.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { Timeline } from '@emma/ui/layout/timeline.tsx'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { ChangeLines } from './change-lines.tsx'
import { useUrlDrawer } from '../layout/use-url-drawer.ts'

interface RecordHistoryProps {
  resource: Pick<Resource, 'name' | 'area'>
  id: number
}

/** Button that opens a drawer with the record's change history. */
export function RecordHistory(props: RecordHistoryProps): ReactNode {
  const { t } = useTranslation()
  const drawer = useUrlDrawer('history')
  const isOpen = drawer.value === true
  return (
    <>
      <Tooltip label={t('history.open')}>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t('history.open')}
          onClick={() => drawer.open(true)}
        >
          <IconHistory size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <DetailsDrawer title={t('history.title')} isOpen={isOpen} onClose={drawer.close} size="lg">
        {isOpen && <History {...props} />}
      </DetailsDrawer>
    </>
  )
}

const step = 50

function History({ resource, id }: RecordHistoryProps): ReactNode {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(step)
  const query = { object: resource.name, object_id: id, limit }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(listAuditLog, { query }),
    queryFn: () => api.call(listAuditLog, { query, ignoreCache: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TextSkeleton />
  if (data.data.length === 0) return <EmptyState title={t('history.empty')} icon={<IconHistory />} />
  return (
    <>
      <Timeline
        label={t('history.title')}
        entries={data.data.map(entry => ({
          id: entry.id,
          at: entry.ts,
          title: [
            t(`history.action.${entry.action}`, { defaultValue: entry.action }),
            entry.user || t('history.system'),
            ...(entry.token ? [t('history.by_token', { name: entry.token })] : []),
            ...(entry.view_role ? [t('history.as_role', { name: entry.view_role })] : []),
          ].join(' · '),
          text: <ChangeLines changes={entry.changes} names={`${resource.area}.${resource.name}`} />,
        }))}
      />
      {data.data.length < data.pagination.total && limit < 500 && (
        <Button variant="default" mt="md" onClick={() => setLimit(Math.min(500, limit + step))}>
          {t('history.more')}
        </Button>
      )}
    </>
  )
}
