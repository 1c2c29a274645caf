import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { ListTableSkeleton } from '@emma/ui/list/list-table.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { type Blacklist, type BlacklistKind, kinds } from './blacklist-kinds.ts'
import { UploadBadge } from '../uploads/upload-state.tsx'
import { useUploadProgress } from '../uploads/use-upload-progress.ts'

type Upload = RecordOf<typeof dataupload>

const defaults = { sort: { field: 'created_at', descending: true } }

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
  const [state, setState] = useListState({ defaults })
  useUploadProgress()
  // Without blacklists there are no imports; id 0 matches none.
  const ids = lists.length === 0 ? [0] : lists.map(list => list.blacklist_id)
  return (
    <ListScreen
      name="blacklist.imports"
      label={title}
      columns={useColumns(lists)}
      rowKey={row => row.id}
      rowLabel={row => row.filename}
      queryKey={[...queryKeys.lists(dataupload), 'blacklists', ids]}
      load={(query, options) =>
        lists.length === 0
          ? Promise.resolve({ data: [], pagination: { limit: 25, offset: 0, total: 0 } })
          : api.list(dataupload, { ...query, filters: { blacklist_id: ids } }, options)
      }
      state={state}
      onStateChange={setState}
      href={row => `/subscribers/dataupload/edit/${row.id}`}
      empty={{
        title: t('audience.dataupload.empty_title'),
        text: t('audience.blacklist.imports_text'),
        action: create,
      }}
    />
  )
}

function useColumns(lists: readonly Blacklist[]): Column<Upload>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`audience.dataupload.fields.${field}`)
  const listOf = (row: Upload) => lists.find(list => list.blacklist_id === row.blacklist_id)?.name
  return [
    { id: 'filename', header: label('filename'), sort: 'filename', cell: row => row.filename },
    { id: 'blacklist_id', header: label('target'), cell: listOf, text: listOf },
    {
      id: 'status',
      header: label('status'),
      sort: 'status',
      width: 160,
      cell: row => <UploadBadge upload={row} />,
    },
    {
      id: 'rows_ok',
      header: label('rows_ok'),
      width: 110,
      align: 'end',
      cell: row => format.number(row.rows_ok),
    },
    {
      id: 'rows_invalid',
      header: label('rows_invalid'),
      width: 110,
      align: 'end',
      cell: row => format.number(row.rows_invalid),
    },
    {
      id: 'created_at',
      header: t('field.created_at'),
      sort: 'created_at',
      width: 170,
      cell: row => format.dateTime(row.created_at),
    },
  ]
}
