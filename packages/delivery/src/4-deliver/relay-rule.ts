import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './mx/public-address.ts'

/** Ports of relays: SMTP (RFC 5321), submission (RFC 6409), submissions (RFC 8314), and the usual other one. */
export const SUBMISSION_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])

export interface RelayRules {
  /** Private relays, and other ports, that the operator allowed. */
  isRelay?: ((host: string, port: number) => boolean) | undefined
  /** Private addresses are meant to be there: development and tests. */
  allowPrivate?: boolean | undefined
}

/** Whether a relay is one that anybody may name: a public address at a port of mail. Names are looked at by publicLookup. */
export function mayRelayOver(host: string, port: number): boolean {
  return SUBMISSION_PORTS.has(port) && (isIP(host) === 0 || isPublicAddress(host))
}

/** Whether private addresses may be connected to. */
export function isPrivateAllowed({ isRelay, allowPrivate }: RelayRules, host: string, port: number): boolean {
  return allowPrivate === true || isRelay?.(host, port) === true
}

/** Resolves a name to public addresses alone; with one that is not, the name is not connected to at all. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.find(({ address }) => !isPublicAddress(address))
    if (error || refused)
      return done(error ?? new Error(`${refused?.address} is not a public address`), '', 0)
    if (options.all) return done(null, addresses)
    const [first] = addresses
    done(null, first?.address ?? '', first?.family ?? 4)
  })
}
