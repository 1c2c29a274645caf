import { queryKeys } from '@emma/client/query-keys.ts'
import { type BrandValues, brandValues } from '@emma/contract/client-brand.ts'
import { client } from '@emma/contract/resources/client.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'

/** Brand of the current client; null while it loads, or without the permission to read it. */
export function useBrand(): BrandValues | null {
  const clientId = useClientId()
  const mayRead = usePermission({ all: ['EmmaClient:get'] })
  const { data } = useQuery({
    queryKey: queryKeys.record(client, clientId),
    queryFn: ({ signal }) => api.find(client, clientId, {}, { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  })
  return data ? brandValues(data) : null
}
