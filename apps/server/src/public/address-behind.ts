/**
 * Whose request it is. Proxies on this machine are believed, as many as there are, and nobody else: the last address of
 * X-Forwarded-For that is not this machine's, else the first.
 *
 * @param remote address of the connection
 * @param forwardedFor the header, empty without one
 */
export function addressBehind(remote: string, forwardedFor: string): string {
  if (forwardedFor === '' || !isLoopback(remote)) return remote
  const chain = forwardedFor.split(',').map(address => address.trim())
  return chain.findLast(address => !isLoopback(address)) ?? chain[0] ?? remote
}

/** Whether somebody in between passed a request on who is not believed. */
export function isForwardedBy(remote: string, forwardedFor: string): boolean {
  return forwardedFor !== '' && !isLoopback(remote)
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}
