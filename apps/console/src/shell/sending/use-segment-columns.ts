import { queryKeys } from '@emma/client/query-keys.ts'
import { list } from '@emma/contract/resources/list.ts'
import { useQuery } from '@tanstack/react-query'
import { useDatasources } from '../resource/use-datasources.ts'
import { api } from '../session/api.ts'

/** Columns of the datasource of a segment; none without a segment. */
export function useSegmentColumns(listId: number | null) {
  const { data: datasources = [] } = useDatasources()
  const { data: segment } = useQuery({
    queryKey: queryKeys.record(list, listId ?? 0),
    queryFn: ({ signal }) => api.find(list, listId ?? 0, {}, { signal }),
    enabled: listId !== null,
  })
  const source = datasources.find(({ member_table_id: id }) => id === segment?.member_table_id)
  return source?.emmamembertableschema ?? []
}
