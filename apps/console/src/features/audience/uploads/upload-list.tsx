import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { uploadQuota } from '@emma/contract/actions/audience.ts'
import { dataupload, uploadState } from '@emma/contract/resources/dataupload.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { stateName, UploadBadge, uploadStates } from './upload-state.tsx'
import { type UploadProgress, useUploadProgress } from './use-upload-progress.ts'

type Upload = RecordOf<typeof dataupload>

const path = '/subscribers/dataupload'
const filterNames = ['status', 'member_table_id']
const defaults = { sort: { field: 'created_at', descending: true } }

/** List of uploads with state and row counts; running ones update live. */
export default function UploadList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(dataupload, row => row.filename)
  const create = (
    <NewButton resource={dataupload} href={`${path}/edit/new`} label={t('audience.dataupload.new')} />
  )
  return (
    <Page title={t('screens.uploads')} subtitle={<Quota />} actions={create}>
      <ListScreen
        name="dataupload"
        label={t('screens.uploads')}
        columns={useColumns(useUploadProgress())}
        filters={useFilters()}
        rowKey={row => row.id}
        rowLabel={row => row.filename}
        queryKey={queryKeys.lists(dataupload)}
        load={(query, options) => api.list(dataupload, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.id}`}
        rowActions={row => (row.status === uploadState.running ? [] : removal.forRow(row))}
        bulkActions={removal.forMany}
        empty={{
          title: t('audience.dataupload.empty_title'),
          text: t('audience.dataupload.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

/** Used share of the monthly upload quota. */
function Quota(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useQuery({
    queryKey: queryKeys.action(uploadQuota),
    queryFn: ({ signal }) => api.call(uploadQuota, { signal, ignoreCache: true }),
  })
  if (!data) return t('audience.dataupload.list_text')
  return t('audience.dataupload.quota', {
    used: format.bytes(data.bytes_used),
    limit: format.bytes(data.bytes_limit),
    date: format.date(data.resets_at),
  })
}

function useColumns(progress: ReadonlyMap<number, UploadProgress>): Column<Upload>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: datasources = [] } = useDatasources()
  const label = (field: string) => t(`audience.dataupload.fields.${field}`)
  const targetOf = (row: Upload) =>
    row.member_table_id === null
      ? t('audience.dataupload.a_blacklist')
      : datasources.find(one => one.member_table_id === row.member_table_id)?.name
  const count = (
    id: 'rows_ok' | 'rows_incomplete' | 'rows_invalid' | 'rows_duplicate' | 'rows_suppressed',
    hidden: boolean,
  ): Column<Upload> => ({
    id,
    header: label(id),
    width: 100,
    align: 'end',
    hidden,
    cell: row => (row.status === uploadState.finished ? format.number(row[id]) : ''),
  })
  return [
    { id: 'filename', header: label('filename'), sort: 'filename', width: 240, cell: row => row.filename },
    {
      id: 'status',
      header: label('status'),
      sort: 'status',
      width: 150,
      cell: row => {
        const running = progress.get(row.id)
        if (row.status !== uploadState.running || !running) return <UploadBadge upload={row} />
        return <Running done={running.done} total={running.total} name={row.filename} />
      },
      text: row => t(`audience.dataupload.states.${stateName(row)}`),
    },
    {
      id: 'target',
      header: label('target'),
      width: 130,
      cell: targetOf,
      text: targetOf,
    },
    {
      id: 'mode',
      header: label('mode'),
      width: 140,
      wideOnly: true,
      cell: row => t(`audience.dataupload.modes.${row.mode}`),
    },
    count('rows_ok', false),
    count('rows_incomplete', false),
    count('rows_invalid', false),
    count('rows_duplicate', true),
    count('rows_suppressed', true),
    {
      id: 'size',
      header: label('size'),
      width: 100,
      align: 'end',
      hidden: true,
      cell: row => format.bytes(row.size),
    },
    {
      id: 'created_at',
      header: t('field.created_at'),
      sort: 'created_at',
      width: 130,
      cell: row => format.relative(row.created_at),
      text: row => row.created_at,
    },
  ]
}

function Running({ done, total, name }: Omit<UploadProgress, 'at'> & { name: string }): ReactNode {
  const format = useFormat()
  return (
    <div>
      <span>{format.number(done)}</span>
      <Progress size="sm" value={total ? (done / total) * 100 : 100} animated={!total} aria-label={name} />
    </div>
  )
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  const { data: datasources = [] } = useDatasources()
  return [
    {
      name: 'status',
      label: t('audience.dataupload.fields.status'),
      kind: 'choice',
      pinned: true,
      options: uploadStates.map((name, status) => ({
        value: String(status),
        label: t(`audience.dataupload.states.${name}`),
      })),
    },
    {
      name: 'member_table_id',
      label: t('audience.datasource'),
      kind: 'choice',
      options: datasources.map(one => ({ value: String(one.member_table_id), label: one.name })),
    },
  ]
}
