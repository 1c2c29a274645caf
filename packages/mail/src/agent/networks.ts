import { BlockList, isIP } from 'node:net'
import { type KnownNetwork, knownNetworks } from './known-networks.ts'

export type NetworkName = KnownNetwork['name']

/** True if an IP address is in a network; false for invalid addresses. */
export function isInNetwork(name: NetworkName, ip: string): boolean {
  return networksOf(ip).has(name)
}

/** Cached: proxies cause many events from few addresses, and searching all lists takes 5 µs. */
function networksOf(ip: string): ReadonlySet<NetworkName> {
  const known = found.get(ip)
  if (known) return known
  const plain = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : ip
  const version = isIP(plain)
  const names = [...lists].filter(
    ([, list]) => version > 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6'),
  )
  const made = new Set(names.map(([name]) => name))
  if (found.size >= MOST_KEPT) found.clear()
  found.set(ip, made)
  return made
}

const found = new Map<string, ReadonlySet<NetworkName>>()
const MOST_KEPT = 10_000

const lists = new Map(knownNetworks.map(({ name, ranges }) => [name, listOf(ranges)]))

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
