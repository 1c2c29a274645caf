import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { mailclass, mailclassTypes } from '@emma/contract/resources/mailclass.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import type { Format } from '@emma/ui/format.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActiveColumn, useActiveSwitch } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useUpdatedColumn } from '../../../shell/resource/use-updated-column.ts'

type Mailclass = RecordOf<typeof mailclass>

const path = '/settings/mailclasses'
const filterNames = ['type', 'onlyactive']
const defaults = { sort: { field: 'name', descending: false } }

/** How each kind of mail leaves: over which transport, how fast, whether opens and clicks are counted. */
export default function MailclassList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(mailclass, row => row.name)
  const activeSwitch = useActiveSwitch(mailclass)
  const create = (
    <NewButton resource={mailclass} href={`${path}/edit/new`} label={t('deliverability.mailclass.new')} />
  )
  return (
    <Page title={t('screens.mailclasses')} actions={create}>
      <ListScreen
        name="mailclass"
        label={t('screens.mailclasses')}
        columns={useColumns()}
        filters={useFilters()}
        rowKey={row => row.mailclass_id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(mailclass)}
        load={(query, options) => api.list(mailclass, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.mailclass_id}`}
        rowActions={row => [...activeSwitch(row), ...removal.forRow(row)]}
        bulkActions={removal.forMany}
        empty={{
          title: t('deliverability.mailclass.empty_title'),
          text: t('deliverability.mailclass.empty_text'),
          action: create,
        }}
      />
    </Page>
  )
}

function useColumns(): Column<Mailclass>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const active = useActiveColumn()
  const label = (field: string) => t(`deliverability.mailclass.fields.${field}`)
  const updated = useUpdatedColumn()
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    {
      id: 'type',
      header: label('type'),
      sort: 'type',
      width: 150,
      cell: row => t(`deliverability.mailclass.types.${row.type}`),
    },
    {
      id: 'transport',
      header: label('transport'),
      width: 220,
      cell: row => row.smtp_host ?? t(`deliverability.mailclass.transports.${row.transport}`),
    },
    {
      id: 'throttle',
      header: label('throttle'),
      width: 150,
      align: 'end',
      cell: row => rateOf(row, t, format),
    },
    active,
    { id: 'description', header: label('description'), cell: row => row.description, hidden: true },
    updated,
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [
    {
      name: 'type',
      label: t('deliverability.mailclass.fields.type'),
      kind: 'choice',
      pinned: true,
      options: mailclassTypes.map(type => ({
        value: type,
        label: t(`deliverability.mailclass.types.${type}`),
      })),
    },
    { name: 'onlyactive', label: t('state.only_active'), kind: 'flag' },
  ]
}

function rateOf(row: Mailclass, t: (key: string) => string, format: Format): string {
  if (row.throttle === 0) return t('deliverability.mailclass.unlimited')
  return `${format.number(row.throttle)} / ${t(`deliverability.mailclass.units.${row.throttle_unit}`)}`
}
