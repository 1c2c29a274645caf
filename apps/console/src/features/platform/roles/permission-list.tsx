import { queryKeys } from '@emma/client/query-keys.ts'
import { listPermissions, type permissionPage } from '@emma/contract/actions/platform.ts'
import { entities, type Entity, type Method, methods } from '@emma/contract/permissions.ts'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { Page } from '../../../shell/layout/page.tsx'

type Right = z.infer<typeof permissionPage>['data'][number]

/** List of all permissions and the roles that have them (R230). */
export default function PermissionList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: ['method'], defaults: {} })
  const filters: ListFilter[] = [
    {
      name: 'method',
      label: t('platform.permission.method'),
      kind: 'choice',
      options: methods.map(value => ({ value, label: t(`platform.role.methods.${value}`) })),
      pinned: true,
    },
  ]
  return (
    <Page title={t('screens.permissions')} subtitle={t('platform.permission.text')}>
      <ListScreen
        name="permission"
        label={t('screens.permissions')}
        columns={useColumns()}
        filters={filters}
        rowKey={row => row.name}
        rowLabel={row => row.name}
        queryKey={queryKeys.action(listPermissions, {})}
        load={({ filters: chosen = {}, limit, offset = 0, search }, options) =>
          api.call(listPermissions, {
            query: {
              limit: limit ?? 1000,
              offset,
              ...searched(search, t),
              method: methodOf(chosen.method),
            },
            ...options,
            ignoreCache: true,
          })
        }
        state={state}
        onStateChange={setState}
        empty={{ title: t('platform.permission.empty_title'), text: t('platform.permission.empty_text') }}
      />
    </Page>
  )
}

/** Searches translated entity names in the browser; the server only knows the entities' keys. */
function searched(search: string | undefined, t: TFunction): { search?: string; entity?: Entity[] } {
  const needle = search?.trim().toLowerCase()
  if (!needle) return {}
  const entity = entities.filter(each => t(`platform.entities.${each}`).toLowerCase().includes(needle))
  return entity.length > 0 ? { entity } : { search: needle }
}

function methodOf(chosen: unknown): Method | undefined {
  const wanted: unknown = Array.isArray(chosen) ? chosen[0] : chosen
  return methods.find(method => method === wanted)
}

function useColumns(): Column<Right>[] {
  const { t } = useTranslation()
  const roles = (row: Right) => row.roles.map(({ name }) => name).join(', ')
  return [
    {
      id: 'entity',
      header: t('platform.role.entity'),
      cell: row => t(`platform.entities.${row.entity}`),
      text: row => t(`platform.entities.${row.entity}`),
    },
    {
      id: 'method',
      header: t('platform.permission.method'),
      width: 140,
      cell: row => t(`platform.role.methods.${row.method}`),
      text: row => t(`platform.role.methods.${row.method}`),
    },
    {
      id: 'name',
      header: t('platform.permission.name'),
      width: 260,
      wideOnly: true,
      cell: row => <code>{row.name}</code>,
      text: row => row.name,
    },
    {
      id: 'roles',
      header: t('platform.permission.roles'),
      width: 360,
      cell: row => <Roles right={row} />,
      text: roles,
    },
  ]
}

function Roles({ right }: { right: Right }): ReactNode {
  const { t } = useTranslation()
  if (right.roles.length === 0) return t('platform.permission.nobody')
  return (
    <Group gap="xs">
      {right.roles.map(({ id, name }) => (
        <Anchor
          key={id}
          size="sm"
          renderRoot={props => <Link {...props} to="/system/roles/edit/$id" params={{ id: String(id) }} />}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  )
}
