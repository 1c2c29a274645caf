import { queryKeys } from '@emma/client/query-keys.ts'
import { readGuidance } from '@emma/contract/actions/guidance.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { queryClient } from '../resource/query-client.ts'

/** Query of messages of the day, tours and news for the user. Refetched when the server says so. */
export const guidanceQuery = queryOptions({
  queryKey: queryKeys.action(readGuidance),
  queryFn: ({ signal }) => api.call(readGuidance, { signal, ignoreCache: true }),
  staleTime: Number.POSITIVE_INFINITY,
  // Guidance is optional: a failed request is not retried.
  retry: false,
})

export function refreshGuidance(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: guidanceQuery.queryKey })
}
