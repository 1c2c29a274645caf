import { lookup, type LookupAddress } from 'node:dns'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'

/** All addresses of a name, as the system's resolver says. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

const lookupAll = promisify(lookup)
export const resolveHost: Resolve = host => lookupAll(host, { all: true })

export interface AddressRule {
  /** This machine itself is allowed, and http: development and tests. */
  allowLoopback: boolean
  resolve?: Resolve
}

/** Longest wait for a name when an address is saved. */
const patience = 3_000

/**
 * What is wrong with an address to call, in words; null when nothing is. A name that nobody answers for yet passes: what
 * it leads to is looked at with every call.
 */
export async function judgeWebhookUrl(text: string, rule: AddressRule): Promise<string | null> {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a web address such as https://example.com/hook'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const host = bareHost(url)
  const addresses = ipaddr.isValid(host) ? [host] : await addressesOf(host, rule.resolve ?? resolveHost)
  if (!addresses.every(address => isCallable(address, rule)))
    return 'leads into a private network or to this machine; only public addresses can be called'
  if (url.protocol === 'http:' && !(rule.allowLoopback && addresses.every(isLoopback)))
    return 'must begin with https://, so that nobody can read along'
  return null
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, patience).unref())
  const found = await Promise.race([resolve(host), timeout]).catch(() => [])
  return found.map(({ address }) => address)
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Azure's host agent, the one metadata address that looks like any other. */
const metadata = '168.63.129.16'

/**
 * Whether an IP address may be called: public unicast alone. Loopback, private, link-local (with the clouds' metadata),
 * carrier-grade NAT, multicast, documentation, and IPv6 that wraps an IPv4 address (mapped, NAT64, 6to4, Teredo) are not.
 */
export function isCallable(address: string, { allowLoopback }: Pick<AddressRule, 'allowLoopback'>): boolean {
  if (!ipaddr.isValid(address) || address === metadata) return false
  if (allowLoopback && isLoopback(address)) return true
  return ipaddr.parse(address).range() === 'unicast'
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
