import { queryKeys } from '@emma/client/query-keys.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../shell/session/api.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { usePermission } from '../../../shell/session/use-session.ts'

/** System links of a mail. */
export type PlaceholderLink = 'unsubscribe' | 'browser' | 'preferences' | 'doi'

/** System links of campaigns. */
const campaignLinks: readonly PlaceholderLink[] = ['unsubscribe', 'browser', 'preferences']

interface Named {
  /** Path between the braces: `member.firstname`. */
  path: string
  label: string
}

/** The columns of one datasource. */
interface ColumnGroup {
  memberTableId: number
  datasource: string
  columns: Named[]
}

/**
 * All placeholders: columns, modules and links.
 *
 * @param memberTableId datasource whose columns are returned; null for those of every datasource
 * @param links system links that the mail can have
 */
export function usePlaceholders(
  memberTableId: number | null,
  links: readonly PlaceholderLink[] = campaignLinks,
) {
  const { data: datasources } = useDatasources()
  const mayRead = usePermission({ all: ['EmmaPlaceholder:get'] })
  const { data: modules } = useQuery({
    queryKey: [...queryKeys.lists(placeholder), 'all'],
    queryFn: ({ signal }) => api.listAll(placeholder, {}, { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  })
  return useMemo(() => {
    const groups: ColumnGroup[] = (datasources ?? [])
      .filter(source => memberTableId === null || source.member_table_id === memberTableId)
      .map(source => ({
        memberTableId: source.member_table_id,
        datasource: source.name,
        columns: source.emmamembertableschema
          .filter(column => !column.is_fixed || column.column_name === 'email')
          .map(({ column_name, label }) => ({ path: `member.${column_name}`, label })),
      }))
    // Synced blocks stand between sections, not in texts.
    const ofModules: Named[] = (modules ?? [])
      .filter(({ type }) => type !== 'mjml')
      .map(({ token, name, type }) => ({
        path: `${type === 'data' ? 'data' : 'module'}.${token}`,
        label: name,
      }))
    // In loops, a feed is the list of its items.
    const lists = (modules ?? []).flatMap(({ type, token }) => (type === 'feed' ? [`data.${token}`] : []))
    const paths = [
      ...new Set([...groups.flatMap(({ columns }) => columns), ...ofModules].map(({ path }) => path)),
      ...lists,
      ...links.map(link => `link.${link}`),
      'campaign.name',
      'client.name',
    ]
    return { groups, ofModules, paths, links }
  }, [datasources, modules, memberTableId, links])
}
