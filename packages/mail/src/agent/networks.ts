import { BlockList, isIP } from 'node:net'
import { type KnownNetwork, knownNetworks } from './known-networks.ts'

export type NetworkName = KnownNetwork['name']

/** Whether an address lies in a network; addresses that are none lie in no network. */
export function isInNetwork(name: NetworkName, ip: string): boolean {
  const plain = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : ip
  const version = isIP(plain)
  if (version === 0) return false
  return lists.get(name)?.check(plain, version === 4 ? 'ipv4' : 'ipv6') ?? false
}

const lists = new Map(knownNetworks.map(({ name, ranges }) => [name, listOf(ranges)]))

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
