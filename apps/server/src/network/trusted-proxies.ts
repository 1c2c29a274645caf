import { BlockList, isIP, isIPv4 } from 'node:net'

/** True if an address belongs to a proxy whose `X-Forwarded-For` is trusted. */
export type IsTrustedProxy = (address: string) => boolean

/** Proxies on this machine: the default. */
export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1']

/** Parses addresses and networks (`10.0.0.5`, `10.0.0.0/8`, `::1`); null if one is invalid. */
export function parseProxies(list: readonly string[]): IsTrustedProxy | null {
  // Separate lists: Node also compares IPv4 addresses with IPv6 networks, in their IPv6 form.
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of list) {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const longest = family === 'ipv4' ? 32 : 128
    const bits = prefix === undefined ? longest : Number(prefix)
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= longest)
    if (isIP(address) === 0 || !isPrefix || rest.length > 0) return null
    networks[family].addSubnet(address, bits, family)
  }
  return address => {
    const plain = address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
    const kind = isIP(plain)
    if (kind === 0) return false
    const of = kind === 4 ? 'ipv4' : 'ipv6'
    return networks[of].check(plain, of)
  }
}

export const trustLoopback: IsTrustedProxy = parseProxies(LOOPBACK_NETWORKS) ?? (() => false)
