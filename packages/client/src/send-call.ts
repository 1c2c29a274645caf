import { ApiError, errorOfResponse } from './api-error.ts'
import type { LoadingCounter } from './loading-counter.ts'
import type { Moment, ResponseCache } from './response-cache.ts'

/** Sends a call to the server; replaced in demo mode (R306) and in tests. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>

export interface Call {
  method: string
  /** URL with its query. */
  url: string
  /** Names under which its response is cached (GET) or that it evicts (writes). */
  names: readonly string[]
  body?: BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Bypasses the cache: polling, secrets, refresh (R166). */
  ignoreCache?: boolean | undefined
  /** Is sent although the page is being closed. For small bodies. */
  keepalive?: boolean | undefined
  /** Replaces the token it is sent with: it does not wait for itself. */
  replacesToken?: boolean | undefined
}

export interface Wiring {
  transport: Transport
  /** The stored login token, `null` when logged out. */
  token: () => string | null
  /** Waits for a pending replacement of the stored token. */
  settled?: () => Promise<void>
  cache: ResponseCache
  loading: LoadingCounter
  /** Called for every failed call before it is thrown. `token`: the one it was sent with. */
  onError?: (error: ApiError, token: string | null) => void
}

/**
 * Sends one call: from the cache or the network, counted while running, errors mapped, related responses evicted
 * after a write and after a 409 (R167).
 * @throws ApiError with the server's text, its url and body
 */
export async function sendCall(call: Call, wiring: Wiring): Promise<Response> {
  const isRead = call.method === 'GET'
  const mayKeep = isRead && !call.ignoreCache
  const kept = mayKeep ? await wiring.cache.read(call.url) : undefined
  if (kept) return kept

  wiring.loading.begin()
  const requestedAt = wiring.cache.moment()
  let token = wiring.token()
  try {
    let response = await callWith(token, call, wiring)
    // Retries once if the token was replaced during the call, waiting for a pending replacement.
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
    if (isRead && isJson(response)) await keep(call, response, requestedAt, wiring)
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
    ...(call.keepalive ? { keepalive: true } : {}),
    // The only cookie belongs to the provider sign-in, and identifies this browser at the callback.
    credentials: 'same-origin',
  })
}

/** A fresh response replaces the cached one even if the call bypassed it, unless it must not be cached. */
async function keep(call: Call, response: Response, requestedAt: Moment, wiring: Wiring): Promise<void> {
  if (call.url.includes('secret=')) return
  if (call.ignoreCache) return wiring.cache.evict(call.names)
  await wiring.cache.keep(call.url, response.clone(), call.names, requestedAt)
}

/** Returns the transport's response, whatever its status. @throws ApiError code `network` without one */
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
