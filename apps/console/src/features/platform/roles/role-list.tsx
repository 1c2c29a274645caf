import { permissions } from '@emma/contract/permissions.ts'
import { role } from '@emma/contract/resources/role.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { viewAs } from '../../../shell/session/change-session.ts'

/** List of roles. */
export default function RoleList(): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ResourceList
      resource={role}
      columns={[
        'name',
        {
          id: 'permissions',
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
          width: 160,
          cell: row => row.is_administrator && t('platform.user.ranks.administrator'),
        },
        {
          id: 'requires_second_factor',
          width: 190,
          wideOnly: true,
          cell: row => row.requires_second_factor && t('platform.second_factor.required_short'),
        },
        'updated_at',
      ]}
      actions={row => [
        {
          id: 'view_as',
          label: t('platform.role.view_as'),
          icon: <IconEye size={16} />,
          run: () => viewAs(row.id),
        },
      ]}
    />
  )
}
