import type { Charset } from './charset.ts'

const MAX_COLUMN = 75
const SOFT_BREAK = '=\r\n'
const CR = 13
const LF = 10
const SPACE = 32
const DOT = 46
const EQUALS = 61
const QUESTION_MARK = 63

/**
 * Encodes text as quoted-printable (RFC 2045, 6.7), beginning at a line start, in a form that no server has to
 * change: lines of at most 76 characters with CRLF, no tab, no run of spaces and no space before a line end (so it is
 * DKIM's relaxed body form), no dot at a line start (so SMTP does not stuff it) and no "From " there (so mbox files
 * do not quote it). The result is ASCII.
 * @param charset has all characters of the text; null: UTF-8
 */
export function encodeQuotedPrintable(text: string, charset: Charset | null = null): string {
  if (text.length <= MAX_COLUMN && AS_IS.test(text)) return text
  let out = ''
  let column = 0
  // Tracked separately: reading the end of `out` would flatten the string each time, which takes minutes for a
  // megabyte.
  let isAfterSpace = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === CR || code === LF) {
      if (code === CR && text.charCodeAt(index + 1) === LF) index++
      out += '\r\n'
      column = 0
      isAfterSpace = false
      continue
    }
    const point = code >= 0xd800 && code <= 0xdfff ? text.codePointAt(index)! : code
    if (point > 0xffff) index++
    let encoded: string =
      point < 128 ? asciiChar(point, column, isAfterSpace, text, index) : escapeBytes(point, charset)
    if (column + encoded.length > MAX_COLUMN) {
      out += SOFT_BREAK
      column = 0
      if (encoded === '.' || encoded === 'F') encoded = escapeByte(point)
    }
    out += encoded
    column += encoded.length
    isAfterSpace = encoded === ' '
  }
  return out
}

/** A line that needs no encoding: most slot values (a name, a token, a number). */
const AS_IS = /^(?!\.|From )[!-<>-~]+(?: [!-<>-~]+)*$/

function asciiChar(code: number, column: number, isAfterSpace: boolean, text: string, index: number): string {
  if (code === SPACE) return !isAfterSpace && !endsLine(text, index) ? ' ' : '=20'
  if (code <= 0x20 || code === EQUALS || code === 0x7f) return escapeByte(code)
  const char = String.fromCharCode(code)
  const breaksLine = column === 0 && (code === DOT || text.startsWith('From ', index))
  return breaksLine ? escapeByte(code) : char
}

/** A space is left unencoded unless it follows one or ends a line or the text. */
function endsLine(text: string, index: number): boolean {
  if (index + 1 >= text.length) return true
  const next = text.charCodeAt(index + 1)
  return next === CR || next === LF
}

function escapeBytes(point: number, charset: Charset | null): string {
  if (charset !== null) return escapeByte(charset.bytes.get(point) ?? QUESTION_MARK)
  const isLoneSurrogate = point >= 0xd800 && point <= 0xdfff
  let encoded = ''
  for (const byte of Buffer.from(isLoneSurrogate ? '\ufffd' : String.fromCodePoint(point)))
    encoded += escapeByte(byte)
  return encoded
}

const HEX: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
)

function escapeByte(byte: number): string {
  return HEX[byte]!
}
