import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useRouter } from '@tanstack/react-router'
import { IconUpload, IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { ShareBar } from '../segments/share-bar.tsx'

type Datasource = RecordOf<typeof membertable>

const path = '/settings/datasources'
const defaults = { sort: { field: 'name', descending: false } }

/** The tables that members live in, each with its counters. */
export default function DatasourceList(): ReactNode {
  const { t } = useTranslation()
  const { history } = useRouter()
  const [state, setState] = useListState({ defaults })
  const removal = useRemoveActions(membertable, row => row.name)
  const create = (
    <NewButton resource={membertable} href={`${path}/edit/new`} label={t('audience.membertable.new')} />
  )
  return (
    <Page title={t('screens.datasources')} subtitle={t('audience.membertable.list_text')} actions={create}>
      <ListScreen
        name="membertable"
        label={t('screens.datasources')}
        columns={useColumns()}
        rowKey={row => row.member_table_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(membertable)}
        load={(query, options) => api.list(membertable, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.member_table_id}`}
        rowActions={row => [
          {
            id: 'members',
            label: t('audience.membertable.show_members'),
            icon: <IconUsers size={16} />,
            run: () => history.push(`/subscribers/archive?table=${row.member_table_id}`),
          },
          {
            id: 'upload',
            label: t('audience.membertable.upload'),
            icon: <IconUpload size={16} />,
            run: () => history.push(`/subscribers/dataupload/edit/new?table=${row.member_table_id}`),
          },
          ...removal.forRow(row),
        ]}
        bulkActions={removal.forMany}
        empty={{
          title: t('audience.membertable.empty_title'),
          text: t('audience.membertable.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

function useColumns(): Column<Datasource>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`audience.membertable.fields.${field}`)
  const counter = (
    id: 'stats_unsubscribed' | 'stats_hardbounce' | 'stats_softbounce' | 'stats_complaint' | 'stats_pending',
    hidden: boolean,
  ): Column<Datasource> => ({
    id,
    header: label(id),
    width: 130,
    align: 'end',
    hidden,
    cell: row => format.number(row[id]),
  })
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    {
      id: 'stats_total',
      header: label('stats_total'),
      sort: 'stats_total',
      width: 120,
      align: 'end',
      cell: row => format.number(row.stats_total),
    },
    {
      id: 'stats_active',
      header: label('stats_active'),
      sort: 'stats_active',
      width: 190,
      align: 'end',
      cell: row => (
        <ShareBar
          text={format.number(row.stats_active)}
          share={row.stats_total > 0 ? row.stats_active / row.stats_total : null}
        />
      ),
    },
    counter('stats_unsubscribed', false),
    counter('stats_hardbounce', false),
    counter('stats_softbounce', true),
    counter('stats_complaint', true),
    counter('stats_pending', true),
    {
      id: 'stats_at',
      header: label('stats_at'),
      width: 150,
      wideOnly: true,
      cell: row => format.relative(row.stats_at),
      text: row => row.stats_at,
    },
    { id: 'description', header: label('description'), cell: row => row.description, hidden: true },
    {
      id: 'updated_at',
      header: t('field.updated_at'),
      sort: 'updated_at',
      width: 170,
      wideOnly: true,
      hidden: true,
      cell: row => format.dateTime(row.updated_at),
    },
  ]
}
