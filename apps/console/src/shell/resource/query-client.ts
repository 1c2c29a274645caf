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
