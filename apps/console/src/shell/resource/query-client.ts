import { ApiError } from '@emma/client/api-error.ts'
import { QueryClient } from '@tanstack/react-query'

/** The query client. A failed query is retried once, unless the server refused it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 1 && !(error instanceof ApiError && refusals.has(error.status)),
    },
  },
})

const refusals = new Set([400, 401, 403, 404, 409, 422, 429])

/**
 * Stores the answer of a change as the result of a query. A read of the query that began before the change is cancelled:
 * it would bring the state before it back.
 */
export async function storeAnswer(queryKey: readonly unknown[], answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, answer)
}
