import { BlockList, isIP } from 'node:net'
import { type KnownNetwork, knownNetworks } from './known-networks.ts'

export type NetworkName = KnownNetwork['name']

/** Whether an address lies in a network; addresses that are none lie in no network. */
export function isInNetwork(name: NetworkName, ip: string): boolean {
  return networksOf(ip).has(name)
}

/** Answers are kept: proxies make many hits from few addresses, and a look into all lists costs 5 µs. */
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
