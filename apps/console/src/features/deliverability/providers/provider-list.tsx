import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import type { LoadRows } from '@emma/ui/list/list-csv.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'

type Provider = RecordOf<typeof provider>

const path = '/system/providers'
const defaults = { sort: { field: 'name', descending: false } }

/** Who receives mail: how each is recognised, and what it takes from this installation. */
export default function ProviderList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ defaults })
  const removal = useRemoveActions(provider, row => row.name)
  const create = (
    <NewButton resource={provider} href={`${path}/edit/new`} label={t('deliverability.provider.new')} />
  )
  return (
    <Page title={t('screens.providers')} subtitle={t('deliverability.provider.subtitle')} actions={create}>
      <ListScreen
        name="provider"
        label={t('screens.providers')}
        columns={useColumns()}
        rowKey={row => row.provider_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(provider)}
        load={loadNamed}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.provider_id}`}
        rowActions={row => removal.forRow(row)}
        empty={{
          title: t('deliverability.provider.empty_title'),
          text: t('deliverability.provider.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

/** Without the one that stands for all others: it is no receiver. */
const loadNamed: LoadRows<Provider> = async (query, options) => {
  const page = await api.list(provider, query, options)
  const data = page.data.filter(row => row.provider_id !== 0)
  const total = page.pagination.total - page.data.length + data.length
  return { data, pagination: { ...page.pagination, total } }
}

function useColumns(): Column<Provider>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`deliverability.provider.fields.${field}`)
  const limit = (value: number) =>
    value === 0 ? t('deliverability.mailclass.unlimited') : format.number(value)
  return [
    {
      id: 'name',
      header: label('name'),
      sort: 'name',
      cell: row => row.name,
    },
    {
      id: 'domains',
      header: label('domains'),
      width: 320,
      cell: row => row.domains.slice(0, 3).join(', ') + (row.domains.length > 3 ? ' …' : ''),
    },
    {
      id: 'max_per_hour',
      header: label('max_per_hour'),
      width: 170,
      align: 'end',
      cell: row => limit(row.max_per_hour),
    },
    {
      id: 'max_connections',
      header: label('max_connections'),
      width: 170,
      align: 'end',
      cell: row => limit(row.max_connections),
    },
  ]
}
