import { queryKeys } from '@emma/client/query-keys.ts'
import { webhook } from '@emma/contract/resources/webhook.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useActiveSwitch } from '../../shell/resource/active-state.tsx'
import { api } from '../../shell/session/api.ts'
import { NewButton } from '../../shell/layout/new-button.tsx'
import { Page } from '../../shell/layout/page.tsx'
import { useRemoveActions } from '../../shell/resource/use-remove-actions.tsx'
import { type Webhook, WebhookState } from './webhook-state.tsx'

const path = '/settings/webhooks'
const filterNames = ['onlyactive']
const defaults = { sort: { field: 'url', descending: false } }

/** Which other systems are told of what happens here, and whether it works. */
export default function WebhookList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(webhook, row => row.url)
  const activeSwitch = useActiveSwitch(webhook)
  const filters: ListFilter[] = [{ name: 'onlyactive', label: t('state.only_active'), kind: 'flag' }]
  const create = <NewButton resource={webhook} href={`${path}/edit/new`} label={t('webhooks.new')} />
  return (
    <Page title={t('screens.webhooks')} subtitle={t('webhooks.subtitle')} actions={create}>
      <ListScreen
        name="webhook"
        label={t('screens.webhooks')}
        columns={useColumns()}
        filters={filters}
        rowKey={row => row.webhook_id}
        rowLabel={row => row.url}
        queryKey={queryKeys.lists(webhook)}
        load={(query, options) => api.list(webhook, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.webhook_id}`}
        rowActions={row => [...activeSwitch(row), ...removal.forRow(row)]}
        bulkActions={removal.forMany}
        empty={{ title: t('webhooks.empty_title'), text: t('webhooks.empty_text'), action: create }}
      />
    </Page>
  )
}

function useColumns(): Column<Webhook>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`webhooks.fields.${field}`)
  return [
    { id: 'url', header: label('url'), sort: 'url', cell: row => row.url },
    { id: 'description', header: label('description'), cell: row => row.description },
    {
      id: 'events',
      header: label('events'),
      width: 130,
      align: 'end',
      cell: row => format.number(row.events.length),
      text: row => row.events.join(' '),
    },
    {
      id: 'active',
      header: t('webhooks.state'),
      sort: 'active',
      width: 170,
      cell: row => <WebhookState record={row} />,
      text: row => row.active,
    },
    {
      id: 'last_success_at',
      header: label('last_success_at'),
      sort: 'last_success_at',
      width: 180,
      cell: row =>
        row.last_success_at === null ? t('webhooks.never') : format.dateTime(row.last_success_at),
    },
  ]
}
