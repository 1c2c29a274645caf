import type { IsTrustedProxy } from '../network/trusted-proxies.ts'

/**
 * Returns the client's address: the last address of X-Forwarded-For that is not a trusted proxy, else the first.
 * @param remote address of the connection
 * @param forwardedFor the header, empty without one
 */
export function addressBehind(remote: string, forwardedFor: string, isTrusted: IsTrustedProxy): string {
  if (forwardedFor === '' || !isTrusted(remote)) return remote
  const chain = forwardedFor.split(',').map(address => address.trim())
  return chain.findLast(address => !isTrusted(address)) ?? chain[0] ?? remote
}

/** True if an untrusted party has forwarded the request. */
export function isForwardedBy(remote: string, forwardedFor: string, isTrusted: IsTrustedProxy): boolean {
  return forwardedFor !== '' && !isTrusted(remote)
}
