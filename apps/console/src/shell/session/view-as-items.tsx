import { queryKeys } from '@emma/client/query-keys.ts'
import { role as roles } from '@emma/contract/resources/role.ts'
import { Menu } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from './api.ts'
import { showError } from '../i18n/error-text.ts'
import { viewAs } from './change-session.ts'
import { isSuperadmin, useSession } from './use-session.ts'

const allRoles = { sort: { field: 'name' } }

/** Menu items that let a superadmin view the console with the permissions of a role (R146, R148). */
export function ViewAsItems(): ReactNode {
  const { t } = useTranslation()
  const mayView = isSuperadmin(useSession())
  const { data = [] } = useQuery({
    queryKey: queryKeys.list(roles, allRoles),
    queryFn: ({ signal }) => api.listAll(roles, allRoles, { signal }),
    enabled: mayView,
  })
  if (!mayView || data.length === 0) return null
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconEye size={16} stroke={1.6} />}>{t('shell.view_as')}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        {data.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => void viewAs(id).catch(showError)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
