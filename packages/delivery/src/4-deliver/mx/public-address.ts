import { BlockList, isIP, isIPv6 } from 'node:net'

/** Networks that are nobody's mail exchanger: this machine, private networks, and what is set aside (RFC 6890). */
const inner = new BlockList()
/** Of its own: in a list with `::/3`, Node finds every IPv4 address as well, in its IPv6 form. */
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
// Of IPv6 only 2000::/3 is given out; of that, these wrap other addresses or are for documentation.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  inner6.addSubnet(network, prefix, 'ipv6')

/** Whether an address can be reached over the internet: a domain's MX must not lead us into our own networks. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  return isIPv6(address) ? !inner6.check(address, 'ipv6') : !inner.check(address, 'ipv4')
}
