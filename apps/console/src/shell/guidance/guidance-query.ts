import { queryKeys } from '@emma/client/query-keys.ts'
import { readGuidance } from '@emma/contract/actions/guidance.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { queryClient } from '../resource/query-client.ts'

/** What the console has to tell the person: messages, tours, news. Asked once, and again when the server says so. */
export const guidanceQuery = queryOptions({
  queryKey: queryKeys.action(readGuidance),
  queryFn: ({ signal }) => api.call(readGuidance, { signal, ignoreCache: true }),
  staleTime: Number.POSITIVE_INFINITY,
  // Nobody misses it where it cannot be had.
  retry: false,
})

export function refreshGuidance(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: guidanceQuery.queryKey })
}
