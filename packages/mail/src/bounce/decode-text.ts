/**
 * Decodes a transfer encoding (RFC 2045) of text with one character per byte, into bytes. Invalid input is decoded as
 * far as possible.
 */
export function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding === 'quoted-printable') return Buffer.from(decodeQuotedPrintable(body), 'latin1')
  return Buffer.from(body, 'latin1')
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll(/=[ \t]*\n/g, '')
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * Decodes bytes with a declared charset. Valid UTF-8 is decoded as UTF-8 whatever is declared: mail systems convert
 * text without updating the declaration. Bytes that are invalid in the declared charset are decoded as Windows-1252,
 * which accepts any byte.
 */
export function decodeText(bytes: Buffer, charset: string): string {
  const known = bytes.includes(JAPANESE) ? 'iso-2022-jp' : 'utf-8'
  return tryDecode(bytes, known) ?? tryDecode(bytes, charset) ?? new TextDecoder('windows-1252').decode(bytes)
}

/** Escape sequence that starts Japanese text in ISO-2022-JP, often undeclared. */
const JAPANESE = '\u001b$'

function tryDecode(bytes: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset.trim().replaceAll('"', '') || 'utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Decodes the encoded words (RFC 2047) of a header value with one character per byte. */
export function decodeWords(value: string): string {
  const joined = value.replaceAll(/(\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi, '$1')
  if (!joined.includes('=?')) return decodeText(Buffer.from(joined, 'latin1'), 'utf-8')
  return joined.replaceAll(
    /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi,
    (_, charset: string, encoding: string, text: string) => {
      const isBase64 = encoding.toLowerCase() === 'b'
      const body = isBase64 ? text : text.replaceAll('_', ' ')
      return decodeText(decodeBody(body, isBase64 ? 'base64' : 'quoted-printable'), charset)
    },
  )
}
