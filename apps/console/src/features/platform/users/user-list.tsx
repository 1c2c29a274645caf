import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { user } from '@emma/contract/resources/user.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActiveBadge, useActiveSwitch } from '../../../shell/resource/active-state.tsx'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { useUserActions } from './user-actions.tsx'

type User = RecordOf<typeof user>

const path = '/users'
const filterNames = ['onlyactive', 'email']
const defaults = { sort: { field: 'username', descending: false } }

/** The people who work here. */
export default function UserList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults })
  const removal = useRemoveActions(user, row => row.username)
  const activeSwitch = useActiveSwitch(user)
  const rescue = useUserActions()
  const create = <NewButton resource={user} href={`${path}/edit/new`} label={t('platform.user.new')} />
  return (
    <Page title={t('screens.users')} actions={create}>
      <ListScreen
        name="user"
        label={t('screens.users')}
        columns={useColumns()}
        filters={useFilters()}
        rowKey={row => row.id}
        rowLabel={row => row.username}
        queryKey={queryKeys.lists(user)}
        load={(query, options) => api.list(user, query, options)}
        state={state}
        onStateChange={setState}
        href={row => `${path}/edit/${row.id}`}
        rowActions={row => [...rescue(row), ...activeSwitch(row), ...removal.forRow(row)]}
        bulkActions={removal.forMany}
        empty={{ title: t('platform.user.empty_title'), text: t('platform.user.empty_text'), action: create }}
      />
    </Page>
  )
}

function useColumns(): Column<User>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`platform.user.fields.${field}`)
  return [
    { id: 'username', header: label('username'), sort: 'username', width: 200, cell: row => row.username },
    {
      id: 'name',
      header: label('name'),
      sort: 'lastname',
      cell: row => `${row.firstname} ${row.lastname}`.trim(),
      text: row => `${row.firstname} ${row.lastname}`.trim(),
    },
    { id: 'email', header: label('email'), sort: 'email', cell: row => row.email },
    {
      id: 'rank',
      header: label('rank'),
      width: 160,
      cell: row => t(`platform.user.ranks.${rankOf(row)}`),
      text: row => t(`platform.user.ranks.${rankOf(row)}`),
    },
    {
      id: 'active',
      header: t('field.active'),
      width: 130,
      cell: row => <State row={row} />,
    },
    {
      id: 'has_second_factor',
      header: t('platform.second_factor.title'),
      width: 150,
      wideOnly: true,
      cell: row => t(row.has_second_factor ? 'platform.second_factor.on' : 'platform.second_factor.off'),
    },
    {
      id: 'updated_at',
      header: t('field.updated_at'),
      sort: 'updated_at',
      width: 170,
      hidden: true,
      cell: row => format.dateTime(row.updated_at),
    },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  return [
    { name: 'onlyactive', label: t('state.only_active'), kind: 'flag', pinned: true },
    { name: 'email', label: t('platform.user.fields.email'), kind: 'text' },
  ]
}

function rankOf(row: User): 'superadmin' | 'administrator' | 'member' {
  if (row.superadmin) return 'superadmin'
  return row.administrator ? 'administrator' : 'member'
}

function State({ row }: { row: User }): ReactNode {
  const { t } = useTranslation()
  if (isLocked(row)) return <StatusBadge tone="caution">{t('platform.user.locked')}</StatusBadge>
  if (row.active && !row.has_password)
    return <StatusBadge tone="neutral">{t('platform.user.no_password')}</StatusBadge>
  return <ActiveBadge isActive={row.active} />
}

function isLocked(row: User): boolean {
  return row.locked_until !== null && Date.parse(row.locked_until) > Date.now()
}
