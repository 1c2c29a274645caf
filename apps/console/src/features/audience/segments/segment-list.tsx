import type { RecordOf } from '@emma/client/emma-client.ts'
import { list } from '@emma/contract/resources/list.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconEye } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { LiveCount } from './live-count.tsx'
import { SegmentSentence } from './segment-sentence.tsx'

type Segment = RecordOf<typeof list>

const path = '/subscribers/segments'
/** List of segments with their rules as text and their counts. */
export default function SegmentList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { history } = useRouter()
  const { data: datasources = [] } = useDatasources()
  const sourceOf = (row: Segment) => datasources.find(one => one.member_table_id === row.member_table_id)
  return (
    <ResourceList
      resource={list}
      subtitle={t('audience.list.list_text')}
      columns={[
        { id: 'name', width: 260 },
        {
          id: 'query',
          cell: row => <SegmentSentence segment={row} datasource={sourceOf(row)} />,
          text: row => JSON.stringify(row.query),
        },
        {
          id: 'member_table_id',
          header: t('audience.datasource'),
          width: 160,
          align: 'start',
          cell: row => sourceOf(row)?.name,
          text: row => sourceOf(row)?.name,
        },
        {
          id: 'count',
          width: 120,
          align: 'end',
          cell: row => <LiveCount listId={row.list_id} count={row.count} countedAt={row.counted_at} />,
        },
        {
          id: 'counted_at',
          width: 150,
          wideOnly: true,
          cell: row => format.relative(row.counted_at),
          text: row => row.counted_at,
        },
      ]}
      filters={[
        {
          name: 'member_table_id',
          label: t('audience.datasource'),
          options: datasources.map(one => ({ value: String(one.member_table_id), label: one.name })),
        },
      ]}
      actions={row => [
        {
          id: 'preview',
          label: t('screens.segment_preview'),
          icon: <IconEye size={16} />,
          run: () => history.push(`${path}/preview/${row.list_id}`),
        },
      ]}
    />
  )
}
