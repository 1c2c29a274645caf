import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './mx/public-address.ts'

/** Ports of relays: SMTP (RFC 5321), submission (RFC 6409), submissions (RFC 8314), and 2525. */
export const SUBMISSION_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])

export interface RelayRules {
  /** Private relays and other ports that the operator allowed. */
  isRelay?: ((host: string, port: number) => boolean) | undefined
  /** Allows private addresses, for development and tests. */
  allowPrivate?: boolean | undefined
}

/** True if users may configure a relay: a public address and a mail port. publicLookup checks host names. */
export function mayRelayOver(host: string, port: number): boolean {
  return SUBMISSION_PORTS.has(port) && (isIP(host) === 0 || isPublicAddress(host))
}

/** True if private addresses may be connected to. */
export function isPrivateAllowed({ isRelay, allowPrivate }: RelayRules, host: string, port: number): boolean {
  return allowPrivate === true || isRelay?.(host, port) === true
}

/** Code of the error for a name with an address that is not public. */
export const PRIVATE_ADDRESS = 'EPRIVATE'

/** Resolves a name to public addresses; rejects if any address is not public. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.find(({ address }) => !isPublicAddress(address))
    if (error || refused) return done(error ?? privateAddress(refused?.address), '', 0)
    if (options.all) return done(null, addresses)
    const [first] = addresses
    done(null, first?.address ?? '', first?.family ?? 4)
  })
}

function privateAddress(address: string | undefined): Error {
  return Object.assign(new Error(`${address} is not a public address`), { code: PRIVATE_ADDRESS })
}
