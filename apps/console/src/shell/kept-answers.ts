import { createResponseCache } from '@emma/client/response-cache.ts'
import { queryClient } from './query-client.ts'
import { sessionStore } from './session-store.ts'

/** Answers of the API kept in this browser, apart by person, role viewed as, and client (T13a). */
export const keptAnswers = createResponseCache(() => {
  const { claims, client } = sessionStore.get()
  return `${claims?.sub.id ?? 0}.${claims?.view_role ?? 0}.${client?.client_id ?? 0}`
})

/** Forgets everything that belongs to the person or client at work so far (T13a). */
export async function forgetAnswers(): Promise<void> {
  await keptAnswers.clear()
  // Last: what is still shown would ask again at once.
  queryClient.clear()
}
