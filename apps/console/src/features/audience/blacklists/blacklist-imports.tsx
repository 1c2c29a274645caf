import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { ListTableSkeleton } from '@emma/ui/list/list-table.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { ResourceRows } from '../../../shell/resource/resource-rows.tsx'
import { type Blacklist, type BlacklistKind, kinds } from './blacklist-kinds.ts'
import { UploadBadge } from '../uploads/upload-state.tsx'
import { useUploadProgress } from '../uploads/use-upload-progress.ts'

type Upload = RecordOf<typeof dataupload>

/** List of imports into the blacklists of one type. */
export function BlacklistImports({ kind }: { kind: BlacklistKind }): ReactNode {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.lists(blacklist), kind, 'all'],
    queryFn: ({ signal }) => api.listAll(blacklist, { filters: { type: kind } }, { signal }),
  })
  const title = t(kind === 'client' ? 'screens.client_blacklist_imports' : 'screens.blacklist_imports')
  const wizard = kind === 'client' ? '/subscribers/blacklistsimportglobal' : '/subscribers/blacklistsimport'
  const create = <NewButton resource={dataupload} href={wizard} label={t('audience.blacklist.upload')} />
  return (
    <Page back={kinds[kind].path} title={title} actions={create}>
      {data && <Imports lists={data} title={title} create={create} />}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListTableSkeleton columns={4} rows={6} />}
    </Page>
  )
}

interface ImportsProps {
  lists: readonly Blacklist[]
  title: string
  create: ReactNode
}

function Imports({ lists, title, create }: ImportsProps): ReactNode {
  const { t } = useTranslation()
  useUploadProgress()
  const listOf = (row: Upload) => lists.find(list => list.blacklist_id === row.blacklist_id)?.name
  return (
    <ResourceRows
      resource={dataupload}
      name="blacklist.imports"
      label={title}
      columns={[
        'filename',
        { id: 'target', cell: listOf, text: listOf },
        { id: 'status', width: 160, align: 'start', cell: row => <UploadBadge upload={row} /> },
        { id: 'rows_ok', width: 110 },
        { id: 'rows_invalid', width: 110 },
        'created_at',
      ]}
      where={{ blacklist_id: lists.map(list => list.blacklist_id) }}
      // Without blacklists there are no imports; an empty filter would not restrict the list.
      {...(lists.length === 0 ? { load: noRows } : {})}
      sort={{ field: 'created_at', descending: true }}
      href={row => `/subscribers/dataupload/edit/${row.id}`}
      isRemovable={() => false}
      hasBulk={false}
      empty={{ text: t('audience.blacklist.imports_text'), action: create }}
    />
  )
}

const noRows = () => Promise.resolve({ data: [], pagination: { total: 0 } })
