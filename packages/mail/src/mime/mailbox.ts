import { mailFault } from '../mail-fault.ts'
import { parseAddress } from '../address.ts'
import { encodeWords } from './encoded-word.ts'
import { assertHeaderText, cleanHeaderText, HeaderError, type HeaderField, headerField } from './header.ts'

/** An address and its display name. */
export interface Mailbox {
  name?: string
  address: string
}

/**
 * Builds a field with a mailbox chosen by the sender (From, Reply-To).
 * @throws HeaderError if the address is invalid or the name contains a control character
 */
export function senderField(name: string, mailbox: Mailbox): HeaderField {
  assertHeaderText(name, mailbox.name ?? '')
  return mailboxField(name, mailbox)
}

/**
 * Builds a recipient's field (To); control characters in the name are removed.
 * @throws HeaderError if the address is invalid; recipients are validated before a campaign starts
 */
export function mailboxField(name: string, mailbox: Mailbox): HeaderField {
  const parsed = parseAddress(mailbox.address)
  if (!parsed.ok) throw new HeaderError(mailFault('mail.header_address', { header: name }))
  const display = cleanHeaderText(mailbox.name ?? '')
  if (display === '') return headerField(name, parsed.email)
  return headerField(name, `${phrase(display, name.length + 2)} <${parsed.email}>`)
}

const ATOMS = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+(?: [A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/
const QUOTABLE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
const MAX_PLAIN = 60

/**
 * Builds a phrase (RFC 5322, 3.2.5): atoms, a quoted string, or encoded words, the first that can represent the name.
 * Expects cleaned, non-empty text.
 */
export function phrase(name: string, column: number): string {
  // Many readers decode encoded words inside quotes too, so a name that looks like one must be encoded.
  if (name.length > MAX_PLAIN || name.includes('=?')) return encodeWords(name, column)
  if (ATOMS.test(name)) return name
  if (QUOTABLE.test(name)) return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  return encodeWords(name, column)
}
