import { ApiError, errorOfResponse } from './api-error.ts'
import type { LoadingCounter } from './loading-counter.ts'
import type { Moment, ResponseCache } from './response-cache.ts'

/** How a call reaches the server; replaced in demo mode (R306) and in tests. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>

export interface Call {
  method: string
  /** Address with its query. */
  url: string
  /** Names by which its answer is kept (GET) or evicts others (writes). */
  names: readonly string[]
  body?: BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Neither read from the kept answers nor kept: polling, secrets, "again, please" (R166). */
  ignoreCache?: boolean | undefined
  /** Ends the token it is sent with, and answers another: it does not wait for itself. */
  replacesToken?: boolean | undefined
}

export interface Wiring {
  transport: Transport
  /** The stored login token, `null` when logged out. */
  token: () => string | null
  /** Waits for a token that is on its way in the place of the stored one. */
  settled?: () => Promise<void>
  cache: ResponseCache
  loading: LoadingCounter
  /** Hears of every failed call before it is thrown. `token`: the one it was sent with. */
  onError?: (error: ApiError, token: string | null) => void
}

/**
 * One call: kept answer or network, counted while under way, errors mapped, related kept answers evicted after
 * a write and after a 409 (R167).
 *
 * @throws ApiError with the server's wording, its url and body.
 */
export async function sendCall(call: Call, wiring: Wiring): Promise<Response> {
  const isRead = call.method === 'GET'
  const mayKeep = isRead && !call.ignoreCache
  const kept = mayKeep ? await wiring.cache.read(call.url) : undefined
  if (kept) return kept

  wiring.loading.begin()
  const asked = wiring.cache.moment()
  let token = wiring.token()
  try {
    let response = await callWith(token, call, wiring)
    // A token that was replaced while the call was on its way is no reason to fail: once more, with the one in its
    // place, which may still be coming.
    if (response.status === 401 && !call.replacesToken) await wiring.settled?.()
    const renewed = wiring.token()
    if (response.status === 401 && renewed !== null && renewed !== token) {
      token = renewed
      response = await callWith(token, call, wiring)
    }
    if (!response.ok) {
      if (response.status === 409) await wiring.cache.evict(call.names)
      throw await errorOfResponse(response, call.url)
    }
    if (!isRead) await wiring.cache.evict(call.names)
    if (isRead && isJson(response)) await keep(call, response, asked, wiring)
    return response
  } catch (error) {
    if (error instanceof ApiError) wiring.onError?.(error, token)
    throw error
  } finally {
    wiring.loading.end()
  }
}

function callWith(token: string | null, call: Call, { transport }: Wiring): Promise<Response> {
  return reach(transport, call.url, {
    method: call.method,
    headers: { accept: 'application/json', ...call.headers, ...bearer(token) },
    body: call.body ?? null,
    signal: call.signal ?? null,
    cache: 'no-store',
    // The one cookie there is belongs to the sign-in with a provider: it knows this browser when it comes back.
    credentials: 'same-origin',
  })
}

/** A fresh answer replaces the kept one even when the call bypassed it, unless nothing may be kept at all. */
async function keep(call: Call, response: Response, asked: Moment, wiring: Wiring): Promise<void> {
  if (call.url.includes('secret=')) return
  if (call.ignoreCache) return wiring.cache.evict(call.names)
  await wiring.cache.keep(call.url, response.clone(), call.names, asked)
}

/** The transport's answer, whatever its status. @throws ApiError code `network` when none came */
export async function reach(transport: Transport, url: string, init: RequestInit): Promise<Response> {
  try {
    return await transport(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new ApiError(message, { status: 0, code: 'network', url })
  }
}

export function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false
}
