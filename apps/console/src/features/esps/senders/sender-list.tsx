import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { espSendfromid } from '@emma/contract/resources/esp-sendfromid.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { pathOf, ServicePage } from '../service-page.tsx'

type Sender = RecordOf<typeof espSendfromid>

const defaults = { sort: { field: 'from_email', descending: false } }

/** The sender addresses that one service knows. */
export default function SenderList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ defaults })
  const removal = useRemoveActions(espSendfromid, row => row.from_email)
  const columns = useColumns()
  const create = (path: string) => (
    <NewButton resource={espSendfromid} href={`${path}/edit/new`} label={t('esps.esp_sendfromid.new')} />
  )
  return (
    <ServicePage
      kind="senders"
      title={t('screens.esp_senders')}
      subtitle={t('esps.esp_sendfromid.subtitle')}
      actions={esp => create(pathOf('senders', esp))}
    >
      {esp => (
        <ListScreen
          name="esp_sendfromid"
          label={t('screens.esp_senders')}
          columns={columns}
          rowKey={row => row.id}
          rowLabel={row => row.from_email}
          queryKey={[...queryKeys.lists(espSendfromid), esp]}
          load={(query, options) =>
            api.list(espSendfromid, { ...query, filters: { ...query.filters, esp: [esp] } }, options)
          }
          state={state}
          onStateChange={setState}
          href={row => `${pathOf('senders', esp)}/edit/${row.id}`}
          rowActions={row => removal.forRow(row)}
          bulkActions={removal.forMany}
          empty={{
            title: t('esps.esp_sendfromid.empty_title'),
            text: t('esps.esp_sendfromid.empty_text'),
            action: create(pathOf('senders', esp)),
          }}
        />
      )}
    </ServicePage>
  )
}

function useColumns(): Column<Sender>[] {
  const { t } = useTranslation()
  const label = (field: string) => t(`esps.esp_sendfromid.fields.${field}`)
  return [
    { id: 'from_email', header: label('from_email'), sort: 'from_email', cell: row => row.from_email },
    {
      id: 'from_name',
      header: label('from_name'),
      sort: 'from_name',
      width: 220,
      cell: row => row.from_name,
    },
    { id: 'external_id', header: label('external_id'), width: 160, cell: row => row.external_id },
    {
      id: 'verified',
      header: label('verified'),
      sort: 'verified',
      width: 150,
      cell: row => (
        <StatusBadge tone={row.verified ? 'positive' : 'caution'}>
          {t(`esps.esp_sendfromid.${row.verified ? 'is_verified' : 'not_verified'}`)}
        </StatusBadge>
      ),
    },
  ]
}
