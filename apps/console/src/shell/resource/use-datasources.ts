import { queryKeys } from '@emma/client/query-keys.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { datasourceQuery } from './datasource-query.ts'

/** The client's datasources with their columns: loaded at start-up, refetched when stale. */
export function useDatasources() {
  return useQuery({
    queryKey: queryKeys.list(membertable, datasourceQuery),
    queryFn: ({ signal }) => api.listAll(membertable, datasourceQuery, { signal }),
  })
}
