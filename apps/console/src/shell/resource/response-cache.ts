import { createResponseCache } from '@emma/client/response-cache.ts'
import { sessionStore } from '../session/session-store.ts'

/** Browser cache of API responses, separate per user, role viewed as, and client (T13a). */
export const responseCache = createResponseCache(() => {
  const { claims, client } = sessionStore.get()
  return `${claims?.sub.id ?? 0}.${claims?.view_role ?? 0}.${client?.client_id ?? 0}`
})
