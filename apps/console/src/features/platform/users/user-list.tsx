import type { RecordOf } from '@emma/client/emma-client.ts'
import { user } from '@emma/contract/resources/user.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActiveBadge } from '../../../shell/resource/active-state.tsx'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useUserActions } from './user-actions.tsx'

type User = RecordOf<typeof user>

/** List of users. */
export default function UserList(): ReactNode {
  const { t } = useTranslation()
  const nameOf = (row: User) => `${row.firstname} ${row.lastname}`.trim()
  const rank = (row: User) => t(`platform.user.ranks.${rankOf(row)}`)
  return (
    <ResourceList
      resource={user}
      columns={[
        { id: 'username', width: 200 },
        { id: 'name', sort: 'lastname', cell: nameOf, text: nameOf },
        'email',
        { id: 'rank', width: 160, cell: rank, text: rank },
        { id: 'active', width: 130, cell: row => <State row={row} /> },
        {
          id: 'has_second_factor',
          header: t('platform.second_factor.title'),
          width: 150,
          wideOnly: true,
          cell: row => t(row.has_second_factor ? 'platform.second_factor.on' : 'platform.second_factor.off'),
        },
        { id: 'updated_at', hidden: true },
      ]}
      filters={['onlyactive', 'email']}
      actions={useUserActions()}
    />
  )
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
