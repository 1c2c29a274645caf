import { domainToASCII } from 'node:url'
import type { ProviderProfile } from './provider-profile.ts'

/** Finds the provider of a mail domain in any form; undefined for other domains. */
export type FindProvider = (domain: string) => ProviderProfile | undefined

/**
 * Indexes providers by domain. Names are compared as lower-case A-labels, so `müller.test` and `xn--mller-kva.test`
 * are equal.
 */
export function indexProviders(profiles: readonly ProviderProfile[]): FindProvider {
  const byDomain = new Map<string, ProviderProfile>()
  for (const profile of profiles) {
    for (const domain of profile.domains) byDomain.set(domainToASCII(domain), profile)
  }
  return domain => byDomain.get(domain) ?? byDomain.get(domainToASCII(domain))
}

/** The part of an address after its last @, in lower case; '' without one. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? '' : address.slice(at + 1).toLowerCase()
}
