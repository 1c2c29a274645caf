import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { category } from '@emma/contract/resources/category.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { usePermission } from '../session/use-session.ts'

/** All categories of the client; none for users who may not see them. */
export function useCategories(): readonly RecordOf<typeof category>[] {
  const mayRead = usePermission({ all: ['EmmaCategoryValue:get'] })
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.lists(category), 'all'],
    queryFn: ({ signal }) => api.listAll(category, {}, { signal }),
    enabled: mayRead,
  })
  return data
}
