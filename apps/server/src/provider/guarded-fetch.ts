import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, fetch } from 'undici'

/** Which addresses beyond the public ones may be asked. */
export type Reach = 'public' | 'loopback' | 'private'

/** The address is none that this server may ask on somebody's behalf. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError'
}

const patience = 10_000
const mostBytes = 1_000_000

/**
 * A fetch that reaches public addresses only, also where a name leads elsewhere: what is connected to is what was
 * checked. No redirects are followed, answers are small and quick. Throws RefusedAddressError.
 */
export function guardedFetch(reach: Reach): (url: string, options: object) => Promise<Response> {
  const dispatcher = new Agent({
    connect: { lookup: guardedLookup(reach), timeout: patience },
    headersTimeout: patience,
    bodyTimeout: patience,
    maxResponseSize: mostBytes,
  })
  return async (url, options) => {
    const host = new URL(url).hostname.replaceAll(/[[\]]/g, '')
    if (ipaddr.isValid(host)) assertReachable(host, reach)
    const answer = await fetch(url, { ...options, redirect: 'manual', dispatcher })
    const body = await answer.arrayBuffer()
    const hasBody = ![101, 204, 205, 304].includes(answer.status)
    return new Response(hasBody ? body : null, {
      status: answer.status,
      headers: [...answer.headers],
    })
  }
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

/** Throws for an address that is not public, as far as `reach` allows no more. */
export function assertReachable(address: string, reach: Reach): void {
  const range = ipaddr.process(address).range()
  if (range === 'unicast' || reach === 'private') return
  if (range === 'loopback' && reach === 'loopback') return
  throw new RefusedAddressError(`${address} is not a public address`)
}
