import { queryKeys } from '@emma/client/query-keys.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../shell/api.ts'
import { useDatasources } from '../../shell/use-datasources.ts'
import { usePermission } from '../../shell/use-session.ts'

export const placeholderLinks = ['unsubscribe', 'browser', 'preferences'] as const

interface Named {
  /** As it stands between braces: `member.firstname`. */
  path: string
  label: string
}

/** Everything that may stand between braces: columns of the datasources, modules, links. */
export function usePlaceholders() {
  const { data: datasources } = useDatasources()
  const mayRead = usePermission({ all: ['EmmaPlaceholder:get'] })
  const { data: modules } = useQuery({
    queryKey: [...queryKeys.lists(placeholder), 'all'],
    queryFn: ({ signal }) => api.listAll(placeholder, {}, { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  })
  return useMemo(() => {
    const columns = new Map(
      (datasources ?? []).flatMap(source =>
        source.emmamembertableschema
          .filter(column => !column.is_fixed || column.column_name === 'email')
          .map(column => [column.column_name, column.label] as const),
      ),
    )
    const ofMember: Named[] = [...columns].map(([name, label]) => ({ path: `member.${name}`, label }))
    const ofModules: Named[] = (modules ?? []).map(({ token, name }) => ({
      path: `module.${token}`,
      label: name,
    }))
    const paths = [
      ...[...ofMember, ...ofModules].map(({ path }) => path),
      ...placeholderLinks.map(link => `link.${link}`),
      'campaign.name',
      'client.name',
    ]
    return { ofMember, ofModules, paths }
  }, [datasources, modules])
}
