import { domainToASCII } from 'node:url'
import { getDomain } from 'tldts'

/** Reason why a domain name is rejected. */
export type DomainFault = 'domain-missing' | 'domain-too-long' | 'label-too-long' | 'domain-syntax' | 'no-tld'

export type DomainResult = { ok: true; domain: string } | { ok: false; reason: DomainFault }

const MAX_DOMAIN = 253
const MAX_LABEL = 63

/**
 * Validates a domain name and returns its stored form: trimmed, lower case, A-labels (punycode for non-ASCII names).
 * Labels have 1–63 letters, digits or inner hyphens; the last one is a top-level domain of 2–63 letters (R274),
 * measured as an A-label. Never throws; linear in the length of the input.
 */
export function parseDomain(input: string): DomainResult {
  const trimmed = input.trim()
  if (trimmed === '') return { ok: false, reason: 'domain-missing' }
  // Such a long name cannot fit the limit; rejected before the expensive IDNA mapping.
  if (trimmed.length > 4 * MAX_DOMAIN) return { ok: false, reason: 'domain-too-long' }
  const domain = toAscii(trimmed)
  if (domain === '') return { ok: false, reason: 'domain-syntax' }
  const fault = findDomainFault(domain)
  return fault === null ? { ok: true, domain } : { ok: false, reason: fault }
}

/**
 * Returns the registrable domain (public suffix plus one label), which DMARC alignment compares (RFC 7489, 3.2), or
 * null for a public suffix, a single label or an address literal. Expects a result of parseDomain.
 */
export function organisationalDomain(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: true, extractHostname: false, validateHostname: false })
}

/** Whether two domains have the same organizational domain; a public suffix has none. */
export function isSameOrganisation(one: string, other: string): boolean {
  const organisation = organisationalDomain(one)
  return organisation !== null && organisationalDomain(other) === organisation
}

/** True for a dotted quad of parts 0–255 without leading zeros (R275). */
export function isIpv4(input: string): boolean {
  const parts = input.split('.', 5)
  return parts.length === 4 && parts.every(isOctet)
}

/**
 * Returns the A-label form, or '' if it has none. ASCII is checked before node maps the rest: domainToASCII parses a
 * URL host, so it would cut at a slash and drop a tab.
 */
function toAscii(domain: string): string {
  let isAscii = true
  let hasUpper = false
  for (let index = 0; index < domain.length; index++) {
    const code = domain.charCodeAt(index)
    if (code >= 0x80) isAscii = false
    else if (code >= 0x41 && code <= 0x5a) hasUpper = true
    else if (!isHostCode(code)) return ''
  }
  if (!isAscii) return domainToASCII(domain)
  return hasUpper ? domain.toLowerCase() : domain
}

function isHostCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === DOT || code === HYPHEN
}

const HYPHEN = 0x2d
const DOT = 0x2e

function findDomainFault(domain: string): DomainFault | null {
  let labelStart = 0
  let labels = 0
  let isAlphabetic = true
  for (let index = 0; index <= domain.length; index++) {
    const code = index === domain.length ? DOT : domain.charCodeAt(index)
    if (code === DOT) {
      const length = index - labelStart
      if (length > MAX_LABEL) return 'label-too-long'
      if (length === 0 || domain.charCodeAt(labelStart) === HYPHEN || domain.charCodeAt(index - 1) === HYPHEN)
        return 'domain-syntax'
      labels++
      if (index === domain.length) break
      labelStart = index + 1
      isAlphabetic = true
    } else if (code < 0x61 || code > 0x7a) {
      if (!isHostCode(code)) return 'domain-syntax'
      isAlphabetic = false
    }
  }
  if (domain.length > MAX_DOMAIN) return 'domain-too-long'
  if (labels < 2) return 'no-tld'
  const isTld = isAlphabetic ? domain.length - labelStart >= 2 : domain.startsWith('xn--', labelStart)
  return isTld ? null : 'no-tld'
}

function isOctet(part: string): boolean {
  if (part === '' || part.length > 3) return false
  for (let index = 0; index < part.length; index++) {
    const code = part.charCodeAt(index)
    if (code < 0x30 || code > 0x39) return false
  }
  if (part.length > 1 && part.startsWith('0')) return false
  return Number(part) <= 255
}
