import ipaddr from 'ipaddr.js'

/**
 * What limits count as one address: an IPv4 address, or the /64 network of an IPv6 one, which a single customer gets whole
 * (RFC 6177). What is no address is a group of its own.
 */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, 8)
  return `${Buffer.from(network).toString('hex')}/64`
}
