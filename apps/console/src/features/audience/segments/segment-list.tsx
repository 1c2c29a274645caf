import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { list } from '@emma/contract/resources/list.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconEye } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { LiveCount } from './live-count.tsx'
import { SegmentSentence } from './segment-sentence.tsx'

type Segment = RecordOf<typeof list>

const path = '/subscribers/segments'
const filterNames = ['member_table_id']
const defaults = { sort: { field: 'name', descending: false } }

/** Whom campaigns go to: rules over a datasource, in plain words, with their count. */
export default function SegmentList(): ReactNode {
  const { t } = useTranslation()
  const { history } = useRouter()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(list, row => row.name)
  const create = <NewButton resource={list} href={`${path}/edit/new`} label={t('audience.list.new')} />
  return (
    <Page title={t('screens.segments')} subtitle={t('audience.list.list_text')} actions={create}>
      <ListScreen
        name="list"
        label={t('screens.segments')}
        columns={useColumns()}
        filters={useFilters()}
        rowKey={row => row.list_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(list)}
        load={(query, options) => api.list(list, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.list_id}`}
        rowActions={row => [
          {
            id: 'preview',
            label: t('screens.segment_preview'),
            icon: <IconEye size={16} />,
            run: () => history.push(`${path}/preview/${row.list_id}`),
          },
          ...removal.forRow(row),
        ]}
        bulkActions={removal.forMany}
        empty={{ title: t('audience.list.empty_title'), text: t('audience.list.empty_text'), action: create }}
      />
    </Page>
  )
}

function useColumns(): Column<Segment>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: datasources = [] } = useDatasources()
  const label = (field: string) => t(`audience.list.fields.${field}`)
  const sourceOf = (row: Segment) => datasources.find(one => one.member_table_id === row.member_table_id)
  return [
    { id: 'name', header: label('name'), sort: 'name', width: 260, cell: row => row.name },
    {
      id: 'query',
      header: label('query'),
      cell: row => <SegmentSentence segment={row} datasource={sourceOf(row)} />,
      text: row => JSON.stringify(row.query),
    },
    {
      id: 'member_table_id',
      header: t('audience.datasource'),
      width: 160,
      cell: row => sourceOf(row)?.name,
      text: row => sourceOf(row)?.name,
    },
    {
      id: 'count',
      header: label('count'),
      sort: 'count',
      width: 120,
      align: 'end',
      cell: row => <LiveCount listId={row.list_id} count={row.count} countedAt={row.counted_at} />,
    },
    {
      id: 'counted_at',
      header: label('counted_at'),
      sort: 'counted_at',
      width: 150,
      wideOnly: true,
      cell: row => format.relative(row.counted_at),
      text: row => row.counted_at,
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  const { data: datasources = [] } = useDatasources()
  return [
    {
      name: 'member_table_id',
      label: t('audience.datasource'),
      kind: 'choice',
      pinned: true,
      options: datasources.map(one => ({ value: String(one.member_table_id), label: one.name })),
    },
  ]
}
