import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { uploadQuota } from '@emma/contract/actions/audience.ts'
import { dataupload, uploadState } from '@emma/contract/resources/dataupload.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { stateName, UploadBadge, uploadStates } from './upload-state.tsx'
import { type UploadProgress, useUploadProgress } from './use-upload-progress.ts'

type Upload = RecordOf<typeof dataupload>

type CountField = 'rows_ok' | 'rows_incomplete' | 'rows_invalid' | 'rows_duplicate' | 'rows_suppressed'

/** List of uploads with state and row counts; running ones update live. */
export default function UploadList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const progress = useUploadProgress()
  const { data: datasources = [] } = useDatasources()
  const targetOf = (row: Upload) =>
    row.member_table_id === null
      ? t('audience.dataupload.a_blacklist')
      : datasources.find(one => one.member_table_id === row.member_table_id)?.name
  const count = (id: CountField, hidden = false) => ({
    id,
    width: 100,
    hidden,
    cell: (row: Upload) => (row.status === uploadState.finished ? format.number(row[id]) : ''),
  })
  return (
    <ResourceList
      resource={dataupload}
      subtitle={<Quota />}
      columns={[
        { id: 'filename', width: 240 },
        {
          id: 'status',
          width: 150,
          align: 'start',
          cell: row => <State row={row} progress={progress.get(row.id)} />,
          text: row => t(`audience.dataupload.states.${stateName(row)}`),
        },
        { id: 'target', width: 130, cell: targetOf, text: targetOf },
        { id: 'mode', width: 140, wideOnly: true },
        count('rows_ok'),
        count('rows_incomplete'),
        count('rows_invalid'),
        count('rows_duplicate', true),
        count('rows_suppressed', true),
        { id: 'size', width: 100, hidden: true, cell: row => format.bytes(row.size) },
        {
          id: 'created_at',
          width: 130,
          cell: row => format.relative(row.created_at),
          text: row => row.created_at,
        },
      ]}
      filters={[
        {
          name: 'status',
          options: uploadStates.map((name, status) => ({
            value: String(status),
            label: t(`audience.dataupload.states.${name}`),
          })),
        },
        {
          name: 'member_table_id',
          label: t('audience.datasource'),
          options: datasources.map(one => ({ value: String(one.member_table_id), label: one.name })),
        },
      ]}
      sort={{ field: 'created_at', descending: true }}
      isRemovable={row => row.status !== uploadState.running}
    />
  )
}

function State({ row, progress }: { row: Upload; progress: UploadProgress | undefined }): ReactNode {
  if (row.status !== uploadState.running || !progress) return <UploadBadge upload={row} />
  return <Running done={progress.done} total={progress.total} name={row.filename} />
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

function Running({ done, total, name }: Omit<UploadProgress, 'at'> & { name: string }): ReactNode {
  const format = useFormat()
  return (
    <div>
      <span>{format.number(done)}</span>
      <Progress size="sm" value={total ? (done / total) * 100 : 100} animated={!total} aria-label={name} />
    </div>
  )
}
