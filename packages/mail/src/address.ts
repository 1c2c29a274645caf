import type { DomainFault } from './domain.ts'
import { parseDomain } from './domain.ts'

/** Reason why an email address is rejected. */
export type AddressFault =
  | DomainFault
  | 'missing'
  | 'too-long'
  | 'no-at'
  | 'local-missing'
  | 'local-too-long'
  | 'local-syntax'
  | 'local-quoted'
  | 'local-not-ascii'

export type AddressResult = { ok: true; email: string; domain: string } | { ok: false; reason: AddressFault }

const MAX_ADDRESS = 254
const MAX_LOCAL = 64

/** Returns the form in which addresses are compared: lower case. */
export function addressKey(address: string): string {
  return address.toLowerCase()
}

/**
 * Returns the domain of an address in lower case: what follows the last @ (RFC 5321, 4.1.2: a quoted local part may
 * contain more of them).
 */
export function addressDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/**
 * Validates an email address (R273) and returns its stored form: trimmed, the domain as parseDomain returns it, the
 * local part as written. A non-ASCII local part (RFC 6531) is stored in NFC and lower case, so that lower() of a
 * database with any locale compares addresses as this function does. Lengths are octets on the wire. Quoted local
 * parts are rejected: no large mailbox provider allows them, and a quote in an imported address usually means a
 * broken column. Never throws; linear in the length of the input.
 * @param options.asciiLocal rejects a non-ASCII local part: such a sender would need SMTPUTF8 for every message
 */
export function parseAddress(
  input: string | null | undefined,
  options: { asciiLocal?: boolean } = {},
): AddressResult {
  if (input === null || input === undefined) return refuse('missing')
  const address = input.trim()
  if (address === '') return refuse('missing')
  const at = address.lastIndexOf('@')
  if (at < 0) return refuse('no-at')
  if (at === 0) return refuse('local-missing')
  const local = storedLocal(address.slice(0, at))
  const localFault = findLocalFault(local, options.asciiLocal ?? false)
  if (localFault !== null) return refuse(localFault)
  const parsed = parseDomain(address.slice(at + 1))
  if (!parsed.ok) return parsed
  if (octets(local) + 1 + parsed.domain.length > MAX_ADDRESS) return refuse('too-long')
  return { ok: true, email: `${local}@${parsed.domain}`, domain: parsed.domain }
}

/**
 * True if a normalized address, or a header field that contains one, is not ASCII and therefore needs a server with
 * SMTPUTF8 (RFC 6531).
 */
export function needsSmtpUtf8(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= 0x80) return true
  }
  return false
}

const refusals = new Map<AddressFault, AddressResult>()

/** One frozen object per fault, so that an import with a million invalid rows allocates nothing for them. */
function refuse(reason: AddressFault): AddressResult {
  const known = refusals.get(reason)
  if (known) return known
  const refusal: AddressResult = Object.freeze({ ok: false, reason })
  refusals.set(reason, refusal)
  return refusal
}

/** Characters of a dot-atom (RFC 5322, 3.2.3), by code. */
const ATEXT = new Uint8Array(128)
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[char.charCodeAt(0)] = 1
}
const DOT = 0x2e
const QUOTE = 0x22

/** Input longer than any address is returned unchanged: it is rejected anyway. */
function storedLocal(local: string): string {
  if (local.length > MAX_ADDRESS || !needsSmtpUtf8(local)) return local
  const composed = local.normalize('NFC')
  return needsSmtpUtf8(composed) ? composed.toLowerCase().normalize('NFC') : composed
}

function findLocalFault(local: string, asciiLocal: boolean): AddressFault | null {
  if (local.charCodeAt(0) === QUOTE) return 'local-quoted'
  let afterDot = true
  let isAscii = true
  for (let index = 0; index < local.length; index++) {
    const code = local.charCodeAt(index)
    if (code === DOT) {
      if (afterDot) return 'local-syntax'
      afterDot = true
      continue
    }
    afterDot = false
    if (code >= 0x80) isAscii = false
    else if (ATEXT[code] === 0) return 'local-syntax'
  }
  if (afterDot) return 'local-syntax'
  if (octets(local) > MAX_LOCAL) return 'local-too-long'
  if (isAscii) return null
  if (asciiLocal) return 'local-not-ascii'
  return UNPRINTABLE.test(local) || !local.isWellFormed() ? 'local-syntax' : null
}

/** Controls, spaces, invisible format characters, unassigned and private code points of Unicode. */
const UNPRINTABLE = /[\p{C}\p{Z}]/u

function octets(text: string): number {
  return needsSmtpUtf8(text) ? Buffer.byteLength(text) : text.length
}
