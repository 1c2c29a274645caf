import { lookup, type LookupAddress } from 'node:dns'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { type Fault, fault } from '@emma/contract/faults.ts'

/** Returns all addresses of a name, from the system's resolver. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const lookupAll = promisify(lookup)
export const resolveHost: Resolve = host => lookupAll(host, { all: true })

export interface AddressRule {
  /** Allows this machine and http, for development and tests. */
  allowLoopback: boolean
  resolve?: Resolve
}

/** Milliseconds to wait for DNS when a URL is saved. */
const DNS_TIMEOUT_MS = 3_000

/**
 * Returns what is wrong with a webhook URL; null if nothing. A name that does not resolve yet is accepted: its
 * addresses are checked with every call.
 */
export async function judgeWebhookUrl(text: string, rule: AddressRule): Promise<Fault | null> {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return fault('field.url_example')
  if (url.username !== '' || url.password !== '') return fault('field.url_login')
  const host = bareHost(url)
  const addresses = ipaddr.isValid(host) ? [host] : await addressesOf(host, rule.resolve ?? resolveHost)
  if (!addresses.every(address => isCallable(address, rule))) return fault('field.url_private')
  if (url.protocol === 'http:' && !(rule.allowLoopback && addresses.every(isLoopback)))
    return fault('field.https')
  return null
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, DNS_TIMEOUT_MS).unref())
  const found = await Promise.race([resolve(host), timeout]).catch(() => [])
  return found.map(({ address }) => address)
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Azure's host agent, the only metadata address outside reserved ranges. */
const metadata = '168.63.129.16'

/**
 * True if an IP address may be called: public unicast only. Excludes loopback, private, link-local (with the clouds'
 * metadata), carrier-grade NAT, multicast, documentation, and IPv6 that wraps an IPv4 address (mapped, NAT64, 6to4,
 * Teredo).
 */
export function isCallable(address: string, { allowLoopback }: Pick<AddressRule, 'allowLoopback'>): boolean {
  if (!ipaddr.isValid(address) || address === metadata) return false
  if (allowLoopback && isLoopback(address)) return true
  return ipaddr.parse(address).range() === 'unicast'
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
