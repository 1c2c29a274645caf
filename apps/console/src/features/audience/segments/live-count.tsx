import { queryKeys } from '@emma/client/query-keys.ts'
import { countList } from '@emma/contract/actions/audience.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../shell/session/api.ts'

interface LiveCountProps {
  listId: number
  /** Last stored count and its time. */
  count: number | null
  countedAt: string | null
}

/** Age in ms after which a count is refetched. */
const oldAfter = 60_000

/** Current number of members in a segment; shows the stored count until the response arrives. */
export function LiveCount({ listId, count, countedAt }: LiveCountProps): ReactNode {
  const format = useFormat()
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.action(countList, { listId, countedAt }),
    queryFn: async ({ signal }) => {
      if (countedAt !== null && Date.now() - Date.parse(countedAt) < oldAfter) return count
      const { total } = await api.call(countList, { body: { list_id: listId, total_only: true }, signal })
      return total
    },
    staleTime: oldAfter,
    retry: false,
  })
  return (
    <span aria-busy={isFetching} style={isFetching ? { opacity: 0.5 } : {}}>
      {format.number(data ?? count)}
    </span>
  )
}
