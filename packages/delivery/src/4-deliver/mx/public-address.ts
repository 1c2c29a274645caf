import { BlockList, isIP, isIPv6 } from 'node:net'

/** Networks without mail exchangers: this machine, private and reserved networks (RFC 6890). */
const inner = new BlockList()
/** Separate list: with `::/3` in one list, Node also matches every IPv4 address in its IPv6 form. */
const inner6 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(network, prefix, 'ipv4')
// Only 2000::/3 is allocated; these parts of it wrap other addresses or are for documentation.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  inner6.addSubnet(network, prefix, 'ipv6')

/** True if an address is reachable over the internet: a domain's MX must not lead into private networks. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  return isIPv6(address) ? !inner6.check(address, 'ipv6') : !inner.check(address, 'ipv4')
}
