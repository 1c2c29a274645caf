import type { DomainFault } from './domain.ts'
import { parseDomain } from './domain.ts'

/** Why an e-mail address is refused; the words for it are in ADDRESS_FAULTS. */
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

/** What an error file or a form says about each fault. */
export const ADDRESS_FAULTS: Record<AddressFault, string> = {
  missing: 'The e-mail address is missing.',
  'too-long': 'The e-mail address is longer than 254 characters.',
  'no-at': 'The e-mail address has no @.',
  'local-missing': 'There is nothing before the @.',
  'local-too-long': 'The part before the @ is longer than 64 characters.',
  'local-syntax': 'The part before the @ has a character or a dot where none is allowed.',
  'local-quoted': 'The part before the @ is in quotes, which most mailboxes do not accept.',
  'local-not-ascii': 'The part before the @ has a letter outside a–z.',
  'domain-missing': 'There is nothing after the @.',
  'domain-too-long': 'The domain is longer than 253 characters.',
  'label-too-long': 'A part of the domain is longer than 63 characters.',
  'domain-syntax': 'The domain has a character, dot or hyphen where none is allowed.',
  'no-tld': 'The domain has no valid ending such as .com.',
}

const MAX_ADDRESS = 254
const MAX_LOCAL = 64

/** The domain of an address as it is written, in lower case: what follows the last @ (RFC 5321, 4.1.2: a quoted local part may have more). */
export function addressDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/**
 * Checks an e-mail address (R273) and brings it to the stored form: trimmed, domain in the form of parseDomain, local part
 * as written; one outside ASCII (RFC 6531) in NFC and lower case, so that a database of any locale finds the same ones
 * equal by lower() as we do. Lengths are octets on the wire. Quoted local parts are refused: none of the large receivers
 * hands out such a mailbox, and a quote in a list of addresses is a broken column far more often than an address.
 * Never throws; linear in the length of the input.
 *
 * @param options.asciiLocal a local part outside ASCII is refused: a sender's would need SMTPUTF8 for every mail
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
 * True when a normalised address, or a header field that holds one, can only go to a server that speaks SMTPUTF8
 * (RFC 6531): it is not ASCII.
 */
export function needsSmtpUtf8(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) >= 0x80) return true
  }
  return false
}

const refusals = new Map<AddressFault, AddressResult>()

/** One frozen object a fault: an import with a million broken rows makes no garbage of it. */
function refuse(reason: AddressFault): AddressResult {
  const known = refusals.get(reason)
  if (known) return known
  const refusal: AddressResult = Object.freeze({ ok: false, reason })
  refusals.set(reason, refusal)
  return refusal
}

/** The characters of a dot-atom (RFC 5322, 3.2.3), by code. */
const ATEXT = new Uint8Array(128)
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[char.charCodeAt(0)] = 1
}
const DOT = 0x2e
const QUOTE = 0x22

/** What is longer than any address stays as it is: normalising it would be for nothing. */
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
