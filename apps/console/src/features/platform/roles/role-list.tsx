import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { role } from '@emma/contract/resources/role.ts'
import { permissions } from '@emma/contract/permissions.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { viewAs } from '../../../shell/session/change-session.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useUpdatedColumn } from '../../../shell/resource/use-updated-column.ts'

type Role = RecordOf<typeof role>

const path = '/system/roles'
const defaults = { sort: { field: 'name', descending: false } }

/** Roles: bundles of rights that people hold. */
export default function RoleList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ defaults })
  const removal = useRemoveActions(role, row => row.name)
  const create = <NewButton resource={role} href={`${path}/edit/new`} label={t('platform.role.new')} />
  return (
    <Page title={t('screens.roles')} actions={create}>
      <ListScreen
        name="role"
        label={t('screens.roles')}
        columns={useColumns()}
        rowKey={row => row.id}
        rowLabel={row => row.name}
        queryKey={queryKeys.lists(role)}
        load={(query, options) => api.list(role, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.id}`}
        rowActions={row => [
          {
            id: 'view_as',
            label: t('platform.role.view_as'),
            icon: <IconEye size={16} />,
            run: () => viewAs(row.id),
          },
          ...removal.forRow(row),
        ]}
        bulkActions={removal.forMany}
        empty={{ title: t('platform.role.empty_title'), text: t('platform.role.empty_text'), action: create }}
      />
    </Page>
  )
}

function useColumns(): Column<Role>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const updated = useUpdatedColumn()
  return [
    { id: 'name', header: t('platform.role.fields.name'), sort: 'name', cell: row => row.name },
    {
      id: 'permissions',
      header: t('platform.role.fields.permissions'),
      width: 200,
      align: 'end',
      cell: row =>
        t('platform.role.count', {
          count: row.permissions.length,
          total: format.number(permissions.length),
        }),
      text: row => row.permissions.length,
    },
    {
      id: 'is_administrator',
      header: t('platform.role.fields.is_administrator'),
      width: 160,
      cell: row => row.is_administrator && t('platform.user.ranks.administrator'),
    },
    {
      id: 'requires_second_factor',
      header: t('platform.role.fields.requires_second_factor'),
      width: 190,
      wideOnly: true,
      cell: row => row.requires_second_factor && t('platform.second_factor.required_short'),
    },
    updated,
  ]
}
