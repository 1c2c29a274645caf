import { BlockList, isIP } from 'node:net'

/**
 * Networks from which hits come that no reader made. Published or long-observed ranges (state: autumn 2026); a hit
 * from outside of them is judged by its other signs.
 */
export type NetworkName = 'apple' | 'appleRelay' | 'proofpoint' | 'mimecast' | 'barracuda' | 'microsoft'

const ranges: Record<NetworkName, readonly string[]> = {
  // Apple's own addresses: Mail Privacy Protection fetches from inside.
  apple: ['17.0.0.0/8', '2620:149::/32', '2a01:b740::/32', '2403:300::/32'],
  // Relay partners (Akamai, Cloudflare, Fastly). People browse through them too, so alone they prove nothing.
  appleRelay: [
    '172.224.0.0/12',
    '104.28.0.0/16',
    '146.75.128.0/17',
    '140.248.0.0/16',
    '2a02:26f7::/32',
    '2a09:bac0::/29',
    '2606:54c0::/32',
    '2a04:4e41::/32',
  ],
  proofpoint: [
    '67.231.144.0/20',
    '148.163.128.0/19',
    '208.86.200.0/22',
    '185.132.180.0/22',
    '185.183.28.0/22',
  ],
  mimecast: [
    '205.139.110.0/23',
    '207.211.30.0/23',
    '91.220.42.0/24',
    '195.130.217.0/24',
    '146.101.78.0/24',
    '185.58.84.0/22',
    '170.10.128.0/21',
  ],
  barracuda: ['64.235.144.0/20', '209.222.80.0/21', '35.176.92.96/27'],
  // Exchange Online Protection and the Safe Links scanners.
  microsoft: [
    '40.92.0.0/15',
    '40.94.0.0/16',
    '40.107.0.0/16',
    '52.100.0.0/14',
    '104.47.0.0/17',
    '2a01:111:f400::/48',
    '2a01:111:f403::/48',
  ],
}

/** Whether an address lies in a network; addresses that are none lie in no network. */
export function isInNetwork(name: NetworkName, ip: string): boolean {
  const plain = ip.startsWith('::ffff:') && ip.includes('.') ? ip.slice('::ffff:'.length) : ip
  const version = isIP(plain)
  if (version === 0) return false
  return lists[name].check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

const lists: Record<NetworkName, BlockList> = {
  apple: listOf('apple'),
  appleRelay: listOf('appleRelay'),
  proofpoint: listOf('proofpoint'),
  mimecast: listOf('mimecast'),
  barracuda: listOf('barracuda'),
  microsoft: listOf('microsoft'),
}

function listOf(name: NetworkName): BlockList {
  const list = new BlockList()
  for (const range of ranges[name]) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
