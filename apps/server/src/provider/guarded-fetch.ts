import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'
import { collectBytes } from '../network/collect-bytes.ts'
import { EGRESS_LIMITS } from '../network/limits.ts'

/** Addresses allowed besides public ones. */
export type Reach = 'public' | 'loopback' | 'private'

/** Thrown for an address that this server must not call. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError'
}

interface FetchLimits {
  /** Maximum bytes of a response. */
  most?: number
  /** Milliseconds in total: DNS, connection, headers, body. */
  timeout?: number
}

/**
 * A fetch for URLs from users and third parties, the only one of this server: it connects to public addresses only,
 * also if a name resolves to others (it connects to the address that was checked), follows no redirects and accepts
 * no compression, which could expand a few bytes to any size. Responses are bounded in bytes and time.
 * @throws RefusedAddressError; CollectError for a response that is too large or breaks off; TimeoutError
 */
export function guardedFetch(
  reach: Reach,
  { most = EGRESS_LIMITS.responseBytes, timeout = EGRESS_LIMITS.totalTimeoutMs }: FetchLimits = {},
): (url: string, options: object) => Promise<Response> {
  const dispatcher = new Agent({ connect: { lookup: guardedLookup(reach), timeout } })
  return async (url, options) => {
    const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
    if (ipaddr.isValid(host)) assertReachable(host, reach)
    const outgoing = new Request(url, options)
    const answer = await request(url, {
      dispatcher,
      method: outgoing.method,
      headers: { ...Object.fromEntries(outgoing.headers), 'accept-encoding': 'identity' },
      body: outgoing.body === null ? null : await outgoing.text(),
      signal: AbortSignal.any([outgoing.signal, AbortSignal.timeout(timeout)]),
    })
    const { statusCode: status, headers, body } = answer
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      body.on('error', () => {}).destroy()
      throw new Error(`${host} answered in an encoding it was not asked for`)
    }
    const { bytes } = await collectBytes(body, most)
    const hasBody = ![101, 204, 205, 304].includes(status)
    return new Response(hasBody ? new Uint8Array(bytes) : null, { status, headers: toHeaders(headers) })
  }
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return new Headers(pairs)
}

function guardedLookup(reach: Reach): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0)
      try {
        for (const { address } of addresses) assertReachable(address, reach)
      } catch (refused) {
        return done(refused instanceof Error ? refused : new Error(String(refused)), '', 0)
      }
      if (options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

/** Throws for an address that is neither public nor allowed by `reach`. */
export function assertReachable(address: string, reach: Reach): void {
  const range = ipaddr.process(address).range()
  if (range === 'unicast' || reach === 'private') return
  if (range === 'loopback' && reach === 'loopback') return
  throw new RefusedAddressError(`${address} is not a public address`)
}
