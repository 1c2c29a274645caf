import { mailFault } from '../mail-fault.ts'
import { parseAddress } from '../address.ts'
import { encodeWords } from './encoded-word.ts'
import { assertHeaderText, cleanHeaderText, HeaderError, type HeaderField, headerField } from './header.ts'

/** An address with the name shown for it. */
export interface Mailbox {
  name?: string
  address: string
}

/**
 * The field of one mailbox the sender chose (From, Reply-To).
 * @throws HeaderError where the address is invalid or the name holds a control character.
 */
export function senderField(name: string, mailbox: Mailbox): HeaderField {
  assertHeaderText(name, mailbox.name ?? '')
  return mailboxField(name, mailbox)
}

/**
 * The field of a recipient (To): control characters in the name are dropped.
 * @throws HeaderError where the address is invalid; recipients are checked before a campaign starts.
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
 * A phrase (RFC 5322, 3.2.5): atoms, a quoted string, or encoded words, the first that can hold the name. Takes cleaned
 * text that is not empty.
 */
export function phrase(name: string, column: number): string {
  // Many readers decode encoded words inside quotes too, so a name that only looks like one has to be encoded.
  if (name.length > MAX_PLAIN || name.includes('=?')) return encodeWords(name, column)
  if (ATOMS.test(name)) return name
  if (QUOTABLE.test(name)) return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  return encodeWords(name, column)
}
