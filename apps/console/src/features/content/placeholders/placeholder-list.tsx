import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'

type Placeholder = RecordOf<typeof placeholder>

const path = '/templates/placeholders'
const defaults = { sort: { field: 'name', descending: false } }

/** The modules: texts that many templates share. */
export default function PlaceholderList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: [], defaults })
  const removal = useRemoveActions(placeholder, row => row.name)
  const create = (
    <NewButton resource={placeholder} href={`${path}/edit/new`} label={t('content.placeholder.new')} />
  )
  const label = (field: string) => t(`content.placeholder.fields.${field}`)
  const columns: Column<Placeholder>[] = [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    { id: 'token', header: label('token'), sort: 'token', cell: row => `{{ module.${row.token} }}` },
    {
      id: 'type',
      header: label('type'),
      sort: 'type',
      width: 160,
      cell: row => t(`content.placeholder.types.${row.type}`),
    },
  ]
  return (
    <Page title={t('screens.placeholders')} actions={create}>
      <ListScreen
        name="placeholder"
        label={t('screens.placeholders')}
        columns={columns}
        rowKey={row => row.module_id}
        rowLabel={row => row.name}
        queryKey={[...queryKeys.lists(placeholder), path]}
        load={(query, options) => api.list(placeholder, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.module_id}`}
        rowActions={row => removal.forRow(row)}
        bulkActions={removal.forMany}
        empty={{
          title: t('content.placeholder.empty_title'),
          text: t('content.placeholder.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}
