import { isIP } from 'node:net'
import type { DnsClient } from './dns-client.ts'
import { isPublicAddress } from './public-address.ts'

/** Mail exchangers of a domain. */
export interface Exchangers {
  kind: 'found'
  /** By preference; hosts of equal preference are shuffled per connection. */
  hosts: readonly Exchanger[]
}

export interface Exchanger {
  host: string
  preference: number
  /** The name was found securely (DNSSEC), so its TLSA records apply. */
  isSecure: boolean
}

/** The domain permanently accepts no mail; `enhanced` as in a server's reply (RFC 7505, 5.1). */
export interface NoMail {
  kind: 'none'
  enhanced: string
  text: string
}

/**
 * Finds the mail exchangers of a domain (RFC 5321, 5.1): MX by preference; the domain itself if it has an address but
 * no MX; none for a null MX (RFC 7505) or a domain that does not exist.
 * @throws DnsFault if DNS fails
 */
export async function findExchangers(dns: DnsClient, domain: string): Promise<Exchangers | NoMail> {
  const { answers, exists, isSecure } = await dns.ask(domain, 'MX')
  if (!exists) return { kind: 'none', enhanced: '5.1.2', text: `The domain ${domain} does not exist.` }
  const hosts = answers.flatMap(answer =>
    answer.type === 'MX'
      ? [
          {
            host: answer.data.exchange.toLowerCase().replace(/\.$/, ''),
            preference: answer.data.preference ?? 0,
            isSecure,
          },
        ]
      : [],
  )
  const named = hosts.filter(({ host }) => host !== '')
  if (named.length > 0) return { kind: 'found', hosts: named.toSorted(byPreference) }
  if (hosts.length > 0)
    return { kind: 'none', enhanced: '5.1.10', text: `The domain ${domain} takes no mail.` }
  const [v4, v6] = await Promise.all([dns.ask(domain, 'A'), dns.ask(domain, 'AAAA')])
  if (v4.answers.length + v6.answers.length === 0)
    return { kind: 'none', enhanced: '5.1.2', text: `The domain ${domain} has no server that takes mail.` }
  return { kind: 'found', hosts: [{ host: domain, preference: 0, isSecure }] }
}

function byPreference(a: Exchanger, b: Exchanger): number {
  return a.preference - b.preference || (a.host < b.host ? -1 : 1)
}

/**
 * Domains with the same exchangers share connections: the name is the same if hosts, preferences and DNSSEC status
 * are. (A connection for a domain without DNSSEC was not checked against TLSA records.)
 */
export function routeName(hosts: readonly Exchanger[]): string {
  return hosts
    .map(({ host, preference, isSecure }) => `${preference} ${host}${isSecure ? ' secure' : ''}`)
    .join(',')
}

/**
 * Returns the hosts in the order to try: by preference, random among equals (RFC 5321, 5.1: to distribute the load).
 */
export function inTurn(hosts: readonly Exchanger[], random = Math.random): Exchanger[] {
  return hosts
    .map(host => ({ host, order: random() }))
    .toSorted((a, b) => a.host.preference - b.host.preference || a.order - b.order)
    .map(({ host }) => host)
}

export interface HostAddresses {
  addresses: string[]
  /** Only private addresses were found. */
  isPrivate: boolean
  isSecure: boolean
}

/**
 * Returns the addresses of one exchanger, IPv4 and IPv6 alternating.
 * @throws DnsFault if both lookups fail
 */
export async function findAddresses(
  dns: DnsClient,
  host: string,
  allowPrivate: boolean,
): Promise<HostAddresses> {
  if (isIP(host) !== 0) return { addresses: [], isPrivate: false, isSecure: false }
  const [v6, v4] = await Promise.allSettled([dns.ask(host, 'AAAA'), dns.ask(host, 'A')])
  if (v6.status === 'rejected' && v4.status === 'rejected') throw v4.reason
  const found = [v6, v4].map(result =>
    result.status === 'rejected'
      ? []
      : result.value.answers.flatMap(answer =>
          answer.type === 'A' || answer.type === 'AAAA' ? [answer.data] : [],
        ),
  )
  const [six = [], four = []] = found
  const all = Array.from({ length: Math.max(six.length, four.length) }, (_, index) => [
    four[index],
    six[index],
  ])
    .flat()
    .filter(address => address !== undefined)
  const addresses = all.filter(address => allowPrivate || isPublicAddress(address))
  // A failed lookup proves nothing: the one that succeeded decides (RFC 7672, 2.2.2).
  const isSecure = [v6, v4].every(result => result.status === 'rejected' || result.value.isSecure)
  return { addresses, isPrivate: all.length > 0 && addresses.length === 0, isSecure }
}
