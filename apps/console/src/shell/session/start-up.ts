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

/** What went wrong while starting; nothing when nobody is logged in or all is well. */
export type StartUpFailure = { kind: 'expired' | 'initialization'; error: Error }

/**
 * Goes on with the stored token, in the specified order (R135): the session is authenticated, then settings and
 * datasources are loaded, then the client. A failure removes the token (R137).
 */
export async function resumeSession(): Promise<StartUpFailure | null> {
  const begunWith = session.token()
  try {
    await enter(await session.authenticate())
    return null
  } catch (error) {
    await session.settled()
    // Another tab went on with another token meanwhile: that one is not the one that failed.
    if (session.token() !== null && session.token() !== begunWith) return resumeSession()
    session.forget()
    sessionStore.set(noSession)
    const failure = error instanceof Error ? error : new Error(String(error))
    return { kind: isExpiry(failure) ? 'expired' : 'initialization', error: failure }
  }
}

/** Loads what every screen needs of the person who just got a session (R142), then lets the screens in. */
export async function enter(claims: SessionClaims): Promise<void> {
  // The start itself always asks the server (T11a).
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
  sessionStore.set({ claims, client, isDemo, custom: { ...first.custom, ...custom } })
}

/** What answers in the server's place is fetched by those alone who need it. */
async function enterDemo(claims: SessionClaims): Promise<Record<string, unknown>> {
  const { startDemo } = await import('../../demo/start-demo.ts')
  return startDemo(claims)
}

/** Whose answers these are is only known afterwards, so none is taken from or kept in the cache. */
const fresh = { ignoreCache: true }

/** Roles without a right on clients work for one all the same; they see its number for a name. */
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

/** Not everybody may see datasources; the console works without. */
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
