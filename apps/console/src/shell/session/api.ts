import '../i18n/zod-config.ts'
import type { ApiError } from '@emma/client/api-error.ts'
import { createFileStorage } from '@emma/client/file-storage.ts'
import { createClient } from '@emma/client/create-client.ts'
import { createSession } from '@emma/client/session.ts'
import { apiHost } from './api-host.ts'
import { responseCache } from '../resource/response-cache.ts'
import { loading } from '../states/loading.ts'
import { sessionEnded } from './session-end.ts'
import { sessionStore } from './session-store.ts'

const { session, replaceToken } = createSession({ apiHost: apiHost(), store: localStorage })

/** Session of this browser: its login token. */
export { session }

/** API client; adds the active client's id to each call. */
export const api = createClient({
  apiHost: apiHost(),
  token: session.token,
  settled: session.settled,
  replaceToken,
  params: () => ({ client_id: sessionStore.get().client?.client_id }),
  loading,
  cache: responseCache,
  itemsPerPage: 25,
  onError: (error, token) => {
    if (endsSession(error)) sessionEnded(error, token)
  },
})

/** The client's files. */
export const fileStorage = createFileStorage(apiHost(), {
  transport: (url, init) => fetch(url, init),
  token: session.token,
  settled: session.settled,
  cache: responseCache,
  loading,
  onError: (error, token) => {
    if (endsSession(error)) sessionEnded(error, token)
  },
})

function endsSession(error: ApiError): boolean {
  return error.code === 'no_token' || error.code === 'token_invalid' || error.code === 'token_expired'
}
