import type { IsTrustedProxy } from '../network/trusted-proxies.ts'

/**
 * Whose request it is. Trusted proxies are believed, as many as there are, and nobody else: the last address of
 * X-Forwarded-For that is none of them, else the first.
 *
 * @param remote address of the connection
 * @param forwardedFor the header, empty without one
 */
export function addressBehind(remote: string, forwardedFor: string, isTrusted: IsTrustedProxy): string {
  if (forwardedFor === '' || !isTrusted(remote)) return remote
  const chain = forwardedFor.split(',').map(address => address.trim())
  return chain.findLast(address => !isTrusted(address)) ?? chain[0] ?? remote
}

/** Whether somebody in between passed a request on who is not believed. */
export function isForwardedBy(remote: string, forwardedFor: string, isTrusted: IsTrustedProxy): boolean {
  return forwardedFor !== '' && !isTrusted(remote)
}
