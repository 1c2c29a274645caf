import ipaddr from 'ipaddr.js'

/**
 * Returns the key by which limits group addresses: an IPv4 address, or the /64 network of an IPv6 one, which a single
 * customer gets (RFC 6177). An invalid address is its own group.
 */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, 8)
  return `${Buffer.from(network).toString('hex')}/64`
}
