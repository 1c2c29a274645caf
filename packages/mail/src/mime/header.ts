import { mailFault, type MailFault } from '../mail-fault.ts'
import type { Charset } from './charset.ts'
import { encodeWords } from './encoded-word.ts'

/** Thrown for a value that would break the header; the message names the field. */
export class HeaderError extends Error {
  override name = 'HeaderError'
  readonly fault: MailFault

  constructor(fault: MailFault) {
    super(fault.message)
    this.fault = fault
  }
}

/**
 * One header field, ready for the wire and for DKIM. The value contains no run of spaces, so its relaxed canonical
 * form (RFC 6376, 3.4.2) is the unfolded value itself.
 */
export interface HeaderField {
  name: string
  /** `Name: value CRLF`, folded. */
  line: string
  /** `name:value` without CRLF. */
  relaxed: string
}

const FOLD_AT = 76
const MAX_LINE = 998

/**
 * Builds a field from a final value: printable characters, single spaces, none at the ends. Folds before a space
 * where the line would exceed 76 characters.
 * @throws HeaderError for a value in another form or with a word too long for a line (RFC 5322, 2.1.1)
 */
export function headerField(name: string, value: string): HeaderField {
  if (!WRITTEN_VALUE.test(value)) throw new HeaderError(mailFault('mail.header_character', { header: name }))
  return { name, line: `${name}: ${fold(name, value)}\r\n`, relaxed: `${name.toLowerCase()}:${value}` }
}

/**
 * Builds a field of free text (RFC 5322 "unstructured") without control characters: unencoded if possible, otherwise
 * as encoded words.
 */
export function textField(name: string, text: string, charset: Charset | null = null): HeaderField {
  const clean = cleanHeaderText(text)
  if (clean === '') return { name, line: `${name}:\r\n`, relaxed: `${name.toLowerCase()}:` }
  const isPlain = PLAIN_TEXT.test(clean) && !clean.includes('=?') && hasShortWords(clean)
  return headerField(name, isPlain ? clean : encodeWords(clean, name.length + 2, charset))
}

/** @throws HeaderError if a constant header value contains a line break, NUL or another control character */
export function assertHeaderText(name: string, text: string): void {
  if (CONTROL.test(text)) throw new HeaderError(mailFault('mail.header_broken', { header: name }))
}

/** @throws HeaderError if a header name is not letters, digits and hyphens */
export function assertHeaderName(name: string): void {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name))
    throw new HeaderError(mailFault('mail.header_name', { header: name.slice(0, 64) }))
}

/**
 * Cleans recipient data for a header: every run of control characters (line breaks and NUL among them) becomes one
 * space, the ends are trimmed, lone surrogates become U+FFFD.
 */
export function cleanHeaderText(text: string): string {
  if (PLAIN_TEXT.test(text)) return text
  return text.replaceAll(CONTROLS, ' ').trim().toWellFormed()
}

/** Words of printable characters separated by single spaces; UTF-8 only if an address needs it (RFC 6532). */
const WRITTEN_VALUE = /^[^\p{Cc}\s]+(?: [^\p{Cc}\s]+)*$/u
const PLAIN_TEXT = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/
// oxlint-disable-next-line no-control-regex -- control characters are what these two look for
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/
// oxlint-disable-next-line no-control-regex -- see above
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g

function hasShortWords(text: string): boolean {
  return text.length <= FOLD_AT || text.split(' ').every(word => word.length <= FOLD_AT)
}

function fold(name: string, value: string): string {
  const start = name.length + 2
  if (start + value.length <= FOLD_AT) return value
  let folded = ''
  let column = start - 1
  for (const word of value.split(' ')) {
    if (start + Buffer.byteLength(word) > MAX_LINE)
      throw new HeaderError(mailFault('mail.header_long', { header: name }))
    const breaks = folded !== '' && column + 1 + word.length > FOLD_AT
    if (folded !== '') folded += breaks ? '\r\n ' : ' '
    folded += word
    column = (breaks ? 0 : column) + 1 + word.length
  }
  return folded
}
