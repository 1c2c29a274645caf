import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { espFields, espLogin } from '@emma/contract/resources/esp-login.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActiveBadge, useActiveSwitch } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useUpdatedColumn } from '../../../shell/resource/use-updated-column.ts'
import { pathOf, ServicePage } from '../service-page.tsx'

type Login = RecordOf<typeof espLogin>

const defaults = { sort: { field: 'name', descending: false } }

/** The logins at one sending service: what campaigns and mail classes send over. */
export default function LoginList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ defaults })
  const removal = useRemoveActions(espLogin, row => row.name)
  const activeSwitch = useActiveSwitch(espLogin)
  const columns = useColumns()
  const create = (path: string) => (
    <NewButton resource={espLogin} href={`${path}/edit/new`} label={t('esps.esp_login.new')} />
  )
  return (
    <ServicePage
      kind="settings"
      title={t('screens.esp_settings')}
      subtitle={t('esps.esp_login.subtitle')}
      actions={esp => create(pathOf('settings', esp))}
    >
      {esp => (
        <ListScreen
          name="esp_login"
          label={t('screens.esp_settings')}
          columns={columns.filter(({ id }) => id !== 'host' || espFields[esp].includes('host'))}
          rowKey={row => row.id}
          rowLabel={row => row.name}
          queryKey={[...queryKeys.lists(espLogin), esp]}
          load={(query, options) =>
            api.list(espLogin, { ...query, filters: { ...query.filters, esp: [esp] } }, options)
          }
          state={state}
          onStateChange={setState}
          href={row => `${pathOf('settings', esp)}/edit/${row.id}`}
          rowActions={row => [...activeSwitch(row), ...removal.forRow(row)]}
          bulkActions={removal.forMany}
          empty={{
            title: t('esps.esp_login.empty_title', { service: t(`esps.names.${esp}`) }),
            text: t('esps.esp_login.empty_text'),
            action: create(pathOf('settings', esp)),
          }}
        />
      )}
    </ServicePage>
  )
}

function useColumns(): Column<Login>[] {
  const { t } = useTranslation()
  const label = (field: string) => t(`esps.esp_login.fields.${field}`)
  const updated = useUpdatedColumn()
  return [
    { id: 'name', header: label('name'), sort: 'name', cell: row => row.name },
    { id: 'host', header: label('host'), width: 240, cell: row => row.host },
    { id: 'username', header: label('username'), width: 220, cell: row => row.username },
    {
      id: 'active',
      header: label('state'),
      sort: 'active',
      width: 150,
      cell: row =>
        row.active && row.refused_at !== null ? (
          <StatusBadge tone="negative">{t('esps.esp_login.refused')}</StatusBadge>
        ) : (
          <ActiveBadge isActive={row.active} />
        ),
    },
    updated,
  ]
}
