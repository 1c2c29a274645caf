import { renewalSeconds, type SessionClaims, sessionClaims } from '@emma/contract/session.ts'
import { errorOfResponse } from './api-error.ts'
import { tokenKey } from './token-key.ts'
import { bearer, reach, type Transport } from './send-call.ts'

export interface TokenStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface SessionOptions {
  apiHost: string
  store: TokenStore
  transport?: Transport
  /** Seconds since 1970. */
  now?: () => number
}

export interface Session {
  token: () => string | null
  /** Claims of the stored token, `null` without one. @throws Error `token invalid` */
  claims(): SessionClaims | null
  /** @throws ApiError `Wrong user or password`, `Account locked …` */
  /** `code`: of the second factor, once the server has requested it. */
  login(username: string, password: string, code?: string): Promise<SessionClaims>
  /**
   * Returns the session of the stored token; renewed if it ends soon, otherwise verified by the server.
   * @throws Error `No token found!`, `Login token has expired!` (the token is deleted), `token invalid`
   */
  authenticate(): Promise<SessionClaims>
  /** Renews if less than an hour is left. */
  renewWhenDue(): Promise<void>
  /** Stores the token of a new session. */
  adopt(token: string): SessionClaims
  /** Waits for a pending replacement of the token, here or in another tab. */
  settled: () => Promise<void>
  /** Revokes the token on the server and deletes it here, even if the server is unreachable. */
  logout(): Promise<void>
  forget(): void
}

/**
 * Replaces the stored token by the one that a call returns (viewing as a role, another password). The server ends the
 * old one first: calls rejected meanwhile wait for the new one with `settled`. The call itself must not, or it would
 * wait for itself; so it is only passed to the client's `callForToken`.
 */
export type ReplaceToken = <A extends { token: string }>(call: () => Promise<A>) => Promise<Replaced<A>>

export interface Replaced<A> {
  answer: A
  /** Of the new token. */
  claims: SessionClaims
}

/** Manages the login token: stored, decoded, renewed, revoked (R139, R152–R154). */
export function createSession(options: SessionOptions): { session: Session; replaceToken: ReplaceToken } {
  const { store } = options
  const transport = options.transport ?? ((url, init) => fetch(url, init))
  const now = options.now ?? (() => Date.now() / 1000)
  const token = () => store.getItem(tokenKey)
  let changing: Promise<unknown> = Promise.resolve()

  /** A replacement of the token, which others wait for. */
  function change<T>(work: () => Promise<T>): Promise<T> {
    const changed = alone(work)
    changing = changed.catch(() => {})
    return changed
  }

  function adopt(text: string): SessionClaims {
    const claims = decodeToken(text)
    store.setItem(tokenKey, text)
    return claims
  }

  async function authCall(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await reach(transport, `${options.apiHost}/auth/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...bearer(token()),
      },
      body: body === undefined ? null : JSON.stringify(body),
      cache: 'no-store',
    })
    if (!response.ok) throw await errorOfResponse(response, response.url)
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }

  async function renew(): Promise<SessionClaims> {
    return adopt(tokenOf(await authCall('POST', 'login')))
  }

  function liveClaims(): SessionClaims {
    const text = token()
    if (text === null) throw new Error('No token found!')
    const claims = decodeToken(text)
    if (claims.exp > now()) return claims
    store.removeItem(tokenKey)
    throw new Error('Login token has expired!')
  }

  const replaceToken: ReplaceToken = call =>
    change(async () => {
      const answer = await call()
      return { answer, claims: adopt(answer.token) }
    })

  const session: Session = {
    token,
    adopt,
    settled: async () => {
      await changing
      await alone(async () => {})
    },
    claims() {
      const text = token()
      return text === null ? null : decodeToken(text)
    },
    async login(username, password, code) {
      store.removeItem(tokenKey)
      return adopt(tokenOf(await authCall('POST', 'login', { username, password, code })))
    },
    async authenticate() {
      const claims = liveClaims()
      if (claims.exp - now() < renewalSeconds) {
        await change(async () => {
          if (liveClaims().exp - now() < renewalSeconds) await renew()
        })
        return liveClaims()
      }
      // Permissions may have changed since the token was signed: the server returns the current ones.
      const current = sessionClaims.safeParse(await authCall('GET', 'token'))
      return current.success ? current.data : claims
    },
    async renewWhenDue() {
      await change(async () => {
        const claims = liveClaims()
        if (claims.exp - now() < renewalSeconds) await renew()
      })
    },
    // Calls rejected because of it wait too, until the session has ended.
    logout: () =>
      change(async () => {
        try {
          await authCall('POST', 'logout')
        } finally {
          store.removeItem(tokenKey)
        }
      }),
    forget: () => store.removeItem(tokenKey),
  }
  return { session, replaceToken }
}

/** One tab at a time: a renewal invalidates the token that a second tab would still use. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks
  return locks ? locks.request('emma-token', work) : work()
}

/** Decodes the claims of a token without verifying its signature. @throws Error `token invalid` (R315) */
export function decodeToken(token: string): SessionClaims {
  try {
    const payload = token.split('.')[1] ?? ''
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), character => character.codePointAt(0) ?? 0)
    return sessionClaims.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    throw new Error('token invalid')
  }
}

function tokenOf(body: unknown): string {
  const token: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'token') : undefined
  if (typeof token !== 'string') throw new Error('Unknown response signature')
  return token
}
