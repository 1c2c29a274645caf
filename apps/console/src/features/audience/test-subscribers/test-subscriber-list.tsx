import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { testaddress } from '@emma/contract/resources/testaddress.ts'
import { UrlTabs } from '@emma/ui/layout/url-tabs.tsx'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActiveColumn, useActiveSwitch } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { addressTypeOptions } from './address-type-options.ts'
import { TestGroups } from './test-groups.tsx'

type TestAddress = RecordOf<typeof testaddress>

const path = '/subscribers/testsubscribers'
const filterNames = ['type', 'onlyactive']
const defaults = { sort: { field: 'email', descending: false } }

/** Who gets tests, seeds and proof copies; and groups of them. */
export default function TestSubscriberList(): ReactNode {
  const { t } = useTranslation()
  return (
    <Page
      title={t('screens.test_subscribers')}
      subtitle={t('audience.testaddress.list_text')}
      actions={<NewTestSubscriber />}
    >
      <UrlTabs
        label={t('screens.test_subscribers')}
        tabs={[
          { id: 'addresses', label: t('audience.testaddress.addresses'), content: () => <Addresses /> },
          { id: 'groups', label: t('audience.testaddress.groups'), content: () => <TestGroups /> },
        ]}
      />
    </Page>
  )
}

function NewTestSubscriber(): ReactNode {
  const { t } = useTranslation()
  return <NewButton resource={testaddress} href={`${path}/edit/new`} label={t('audience.testaddress.new')} />
}

function Addresses(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(testaddress, row => row.email)
  const activeSwitch = useActiveSwitch(testaddress)
  return (
    <ListScreen
      name="testaddress"
      label={t('screens.test_subscribers')}
      columns={useColumns()}
      filters={useFilters()}
      rowKey={row => row.testaddress_id}
      rowLabel={row => row.email}
      queryKey={queryKeys.lists(testaddress)}
      load={(query, options) => api.list(testaddress, query, options)}
      state={state}
      onStateChange={setState}
      href={row => `${path}/edit/${row.testaddress_id}`}
      rowActions={row => [...activeSwitch(row), ...removal.forRow(row)]}
      bulkActions={removal.forMany}
      empty={{
        title: t('audience.testaddress.empty_title'),
        text: t('audience.testaddress.empty_text'),
        action: <NewTestSubscriber />,
      }}
    />
  )
}

function useColumns(): Column<TestAddress>[] {
  const { t } = useTranslation()
  const active = useActiveColumn()
  const label = (field: string) => t(`audience.testaddress.fields.${field}`)
  return [
    { id: 'email', header: label('email'), sort: 'email', cell: row => row.email },
    {
      id: 'name',
      header: label('name'),
      cell: row => [row.firstname, row.lastname].filter(Boolean).join(' '),
      text: row => [row.firstname, row.lastname].filter(Boolean).join(' '),
    },
    {
      id: 'addr_type',
      header: label('addr_type'),
      sort: 'addr_type',
      width: 200,
      cell: row => t(`audience.testaddress.types.${row.addr_type}`),
    },
    active,
  ]
}

function useFilters(): ListFilter[] {
  const { t, i18n } = useTranslation()
  return [
    {
      name: 'type',
      label: t('audience.testaddress.fields.addr_type'),
      kind: 'choice',
      pinned: true,
      options: addressTypeOptions(value => t(`audience.testaddress.types.${value}`), i18n.resolvedLanguage),
    },
    { name: 'onlyactive', label: t('state.only_active'), kind: 'flag' },
  ]
}
