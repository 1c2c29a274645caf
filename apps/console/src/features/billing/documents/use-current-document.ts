import { ApiError } from '@emma/client/api-error.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { legalDocuments } from '@emma/contract/actions/legal-documents.ts'
import type { LegalKind } from '@emma/contract/legal-document.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'

/** The newest version of a document in force; null if none is published. */
export function useCurrentDocument(kind: LegalKind) {
  const { latest } = legalDocuments[kind]
  return useQuery({
    queryKey: queryKeys.action(latest),
    queryFn: async ({ signal }) => {
      try {
        return await api.call(latest, { signal, ignoreCache: true })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })
}

/** Confirmations of the active client; not loaded without the permission. */
export function useConfirmations(kind: LegalKind) {
  const { listConfirms } = legalDocuments[kind]
  const client = useClientId()
  const mayRead = usePermission({ all: [kind === 'agb' ? 'AgbConfirm:get' : 'BavConfirm:get'] })
  return useQuery({
    queryKey: queryKeys.action(listConfirms, client),
    queryFn: ({ signal }) =>
      api.call(listConfirms, { params: { client_id: client }, query: {}, signal, ignoreCache: true }),
    enabled: mayRead,
  })
}
