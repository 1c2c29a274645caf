import '../i18n/zod-config.ts'
import { ApiError } from '@emma/client/api-error.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { listUserSettings } from '@emma/contract/actions/account.ts'
import { client as clients } from '@emma/contract/resources/client.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { demoClientId, type SessionClaims } from '@emma/contract/session.ts'
import { api, session } from './api.ts'
import { datasourceQuery } from '../resource/datasource-query.ts'
import { endInterception } from './interception.ts'
import { queryClient } from '../resource/query-client.ts'
import { noSession, type SessionState, sessionStore } from './session-store.ts'

/** Error of the start-up. */
export type StartUpFailure = { kind: 'expired' | 'initialization'; error: Error }

/**
 * Resumes the session of the stored token in the specified order (R135): authenticates, loads settings and datasources,
 * then the client. A failure removes the token (R137). Returns null on success.
 */
export async function resumeSession(): Promise<StartUpFailure | null> {
  const begunWith = session.token()
  try {
    await enter(await session.authenticate())
    return null
  } catch (error) {
    await session.settled()
    // Another tab has stored a new token meanwhile: tries again with that one.
    if (session.token() !== null && session.token() !== begunWith) return resumeSession()
    session.forget()
    sessionStore.set(noSession)
    const failure = error instanceof Error ? error : new Error(String(error))
    return { kind: isExpiry(failure) ? 'expired' : 'initialization', error: failure }
  }
}

/** Loads what every screen needs of the user (R142), then updates the session store. */
export async function enter(claims: SessionClaims): Promise<void> {
  // The start-up always calls the server (T11a).
  endInterception()
  const [settings, datasources] = await Promise.all([
    api.call(listUserSettings, { params: { id: claims.sub.id }, ...fresh }),
    api.listAll(membertable, datasourceQuery, fresh).catch(noneIfForbidden),
  ])
  queryClient.setQueryData(queryKeys.list(membertable, datasourceQuery), datasources)
  const [first] = settings.data
  if (!first) return sessionStore.set({ ...noSession, claims })
  const client = await findClient(first.client_id)
  const isDemo = first.client_id === demoClientId && !claims.sub.superadmin
  const custom = isDemo ? await enterDemo(claims) : {}
  sessionStore.set({
    claims,
    client,
    isDemo,
    custom: { ...first.custom, ...custom },
    dueDocuments: settings.due_documents,
  })
}

/** Imported on demand: only demo users need it. */
async function enterDemo(claims: SessionClaims): Promise<Record<string, unknown>> {
  const { startDemo } = await import('../../demo/start-demo.ts')
  return startDemo(claims)
}

/** Bypasses the cache: its scope is only known after the session has started. */
const fresh = { ignoreCache: true }

/** Users without permission on clients still work for one; its id replaces the name. */
async function findClient(clientId: number): Promise<SessionState['client']> {
  try {
    const { client_id, name, timezone } = await api.find(clients, clientId, {}, fresh)
    return { client_id, name, timezone }
  } catch (error) {
    if (!isForbidden(error)) throw error
    return { client_id: clientId, name: `#${clientId}`, timezone: browserTimeZone() }
  }
}

function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Not every user may read datasources; the console works without them. */
function noneIfForbidden(error: unknown): [] {
  if (isForbidden(error)) return []
  throw error
}

function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403
}

function isExpiry(error: Error): boolean {
  return /Login token has expired!|Expired token|No token found!/.test(error.message)
}
