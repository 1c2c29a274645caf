import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { client } from '@emma/contract/resources/client.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import type { Column, ListFilter, RowAction } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActiveBadge } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { ClientForm } from './client-form.tsx'

export type Client = RecordOf<typeof client>

interface ClientTableProps {
  /** Key of the list's stored columns and views. */
  name: string
  extraActions: (row: Client) => readonly RowAction[]
  extraColumn?: Column<Client>
}

const filterNames = ['onlyactive']
const defaults = { sort: { field: 'name', descending: false } }

/** List of the clients that the user may read; a row opens in a drawer. */
export function ClientTable({ name, extraActions, extraColumn }: ClientTableProps): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(client)
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const [opened, setOpened] = useState<Client | null>(null)
  return (
    <>
      <ListScreen
        name={name}
        label={t('screens.clients')}
        columns={useColumns(extraColumn)}
        filters={useFilters()}
        rowKey={row => row.client_id}
        rowLabel={row => row.name}
        queryKey={[...queryKeys.lists(client), name]}
        load={(query, options) => api.list(client, query, options)}
        state={state}
        onStateChange={setState}
        {...(mayChange ? { onOpen: setOpened } : {})}
        rowActions={extraActions}
        empty={{ title: t('platform.client.empty_title'), text: t('platform.client.empty_text') }}
      />
      <DetailsDrawer
        title={opened?.name ?? ''}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        size="xl"
      >
        {opened && <ClientForm record={opened} id={opened.client_id} onSaved={() => setOpened(null)} />}
      </DetailsDrawer>
    </>
  )
}

function useColumns(extra: Column<Client> | undefined): Column<Client>[] {
  const { t } = useTranslation()
  const label = (field: string) => t(`platform.client.fields.${field}`)
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    { id: 'contact_email', header: label('contact_email'), cell: row => row.contact_email },
    {
      id: 'brand',
      header: label('brand'),
      width: 110,
      cell: row => row.brand.toUpperCase(),
      hidden: true,
    },
    {
      id: 'language',
      header: label('language'),
      width: 120,
      cell: row => t(`platform.client.languages.${row.language}`),
    },
    { id: 'timezone', header: label('timezone'), width: 170, cell: row => row.timezone, wideOnly: true },
    {
      id: 'is_active',
      header: t('field.active'),
      width: 120,
      cell: row => <ActiveBadge isActive={row.is_active} />,
    },
    ...(extra ? [extra] : []),
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [{ name: 'onlyactive', label: t('state.only_active'), kind: 'flag', pinned: true }]
}
