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
  /** The claims of the stored token, `null` without one. @throws Error `token invalid` */
  claims(): SessionClaims | null
  /** @throws ApiError `Wrong user or password`, `Account locked …` */
  /** `code`: of the second factor, once the server has asked for it. */
  login(username: string, password: string, code?: string): Promise<SessionClaims>
  /**
   * The session that the stored token gives; renewed when it is about to end, verified by the server otherwise.
   * @throws Error `No token found!`, `Login token has expired!` (the token is removed), `token invalid`
   */
  authenticate(): Promise<SessionClaims>
  /** Renews when less than an hour is left; nothing otherwise. */
  renewWhenDue(): Promise<void>
  /** Keeps the token of a session that has just begun. */
  adopt(token: string): SessionClaims
  /** Waits for a token that is on its way, here or in another tab. */
  settled: () => Promise<void>
  /** Revokes the token on the server and forgets it here, even when the server cannot be reached. */
  logout(): Promise<void>
  forget(): void
}

/**
 * Puts the token that a call answers with (viewing as a role, another password) in the place of the stored one. The
 * server ends that one first: who is refused meanwhile waits for the new one with `settled`. The call itself must not,
 * or it would wait for itself; so only the client gets this, whose `callForToken` knows.
 */
export type ReplaceToken = <A extends { token: string }>(call: () => Promise<A>) => Promise<Replaced<A>>

export interface Replaced<A> {
  answer: A
  /** Of the new token. */
  claims: SessionClaims
}

/** The login token's life: kept, decoded, renewed, given back (R139, R152–R154). */
export function createSession(options: SessionOptions): { session: Session; replaceToken: ReplaceToken } {
  const { store } = options
  const transport = options.transport ?? ((url, init) => fetch(url, init))
  const now = options.now ?? (() => Date.now() / 1000)
  const token = () => store.getItem(tokenKey)
  let changing: Promise<unknown> = Promise.resolve()

  /** A change of the token, which others wait for. */
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
      // Rights may have changed since the token was signed: the server says them as they are.
      const current = sessionClaims.safeParse(await authCall('GET', 'token'))
      return current.success ? current.data : claims
    },
    async renewWhenDue() {
      await change(async () => {
        const claims = liveClaims()
        if (claims.exp - now() < renewalSeconds) await renew()
      })
    },
    // Who is refused because of it waits as well: by then it is known that the session is over.
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

/** One tab at a time: a renewal ends the token it was asked with, which a second tab would still hold. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks
  return locks ? locks.request('emma-token', work) : work()
}

/** The claims inside a token. Its signature is the server's business. @throws Error `token invalid` (R315) */
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
