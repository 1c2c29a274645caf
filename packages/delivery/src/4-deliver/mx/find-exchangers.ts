import { isIP } from 'node:net'
import type { DnsClient } from './dns-client.ts'
import { isPublicAddress } from './public-address.ts'

/** Where a domain takes mail. */
export interface Exchangers {
  kind: 'found'
  /** In the order of preference; equals are in any order, to be shuffled for each connection. */
  hosts: readonly Exchanger[]
}

export interface Exchanger {
  host: string
  preference: number
  /** The name was found securely (DNSSEC): its TLSA records may be looked at. */
  isSecure: boolean
}

/** The domain takes no mail, for good; `enhanced` as a server would say it (RFC 7505, 5.1). */
export interface NoMail {
  kind: 'none'
  enhanced: string
  text: string
}

/**
 * Finds the mail exchangers of a domain (RFC 5321, 5.1): MX by preference; the domain itself where it has none but an
 * address; none where it says so (null MX, RFC 7505) or does not exist.
 *
 * @throws DnsFault when the DNS does not answer
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
 * Who shares its exchangers shares connections: domains with the same hosts and preferences, found as securely, have the
 * same name here. (A connection for a domain without DNSSEC was not held against TLSA records.)
 */
export function routeName(hosts: readonly Exchanger[]): string {
  return hosts
    .map(({ host, preference, isSecure }) => `${preference} ${host}${isSecure ? ' secure' : ''}`)
    .join(',')
}

/** The hosts to try, in order: by preference, among equals at random (RFC 5321, 5.1: to spread the load). */
export function inTurn(hosts: readonly Exchanger[], random = Math.random): Exchanger[] {
  return hosts
    .map(host => ({ host, order: random() }))
    .toSorted((a, b) => a.host.preference - b.host.preference || a.order - b.order)
    .map(({ host }) => host)
}

export interface HostAddresses {
  addresses: string[]
  /** Found, but none that mail may go to. */
  isPrivate: boolean
  isSecure: boolean
}

/**
 * The addresses of one exchanger, IPv4 and IPv6 in turns.
 *
 * @throws DnsFault when the DNS answers for neither
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
  // An answer that was kept from us says nothing: the one that came decides (RFC 7672, 2.2.2).
  const isSecure = [v6, v4].every(result => result.status === 'rejected' || result.value.isSecure)
  return { addresses, isPrivate: all.length > 0 && addresses.length === 0, isSecure }
}
