import { headerField } from './header.ts'

/** A file attached to a message. */
export interface MailAttachment {
  name: string
  /** MIME type, lower case. */
  type: string
  content: Uint8Array
  /** Content-ID without angle brackets, of an image that the HTML shows (RFC 2392); null: an attachment. */
  contentId?: string | null
}

/**
 * Encodes the end of a `multipart/mixed` or `multipart/related` entity: its attachments and the closing boundary. Like every body, it is in
 * DKIM's relaxed form, and no line begins with a dot.
 */
export function attachmentParts(attachments: readonly MailAttachment[], boundary: string): Buffer {
  const parts = attachments.map(({ name, type, content, contentId = null }) =>
    Buffer.concat([
      Buffer.from(
        `\r\n--${boundary}\r\n${headerField('Content-Type', type).line}` +
          (contentId === null ? '' : headerField('Content-ID', `<${contentId}>`).line) +
          headerField('Content-Disposition', disposition(contentId === null ? 'attachment' : 'inline', name))
            .line +
          `Content-Transfer-Encoding: base64\r\n\r\n`,
        'latin1',
      ),
      base64Lines(content),
    ]),
  )
  return Buffer.concat([...parts, Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1')])
}

/** Characters of a line in base64 (RFC 2045, 6.8), and the bytes that it encodes. */
const LINE = 76
const LINE_BYTES = 57

/** Base64 in lines of 76 characters, without a line end after the last one. */
function base64Lines(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const lines = Math.ceil(bytes.length / LINE_BYTES)
  const encoded = Buffer.alloc(Math.ceil(bytes.length / 3) * 4 + 2 * Math.max(0, lines - 1))
  let offset = 0
  for (let line = 0; line < lines; line++) {
    if (line > 0) offset += encoded.write('\r\n', offset, 'latin1')
    const piece = bytes.subarray(line * LINE_BYTES, (line + 1) * LINE_BYTES)
    offset += encoded.write(piece.toString('base64'), offset, 'latin1')
  }
  return encoded
}

/** Content-Disposition with the file name: quoted if it is ASCII and fits a line, otherwise as of RFC 2231. */
function disposition(kind: 'attachment' | 'inline', name: string): string {
  if (/^[\x20-\x7e]{1,60}$/.test(name) && !/["\\]| {2}|^ | $/.test(name)) return `${kind}; filename="${name}"`
  const encoded = sections(`utf-8''${percentEncoded(name)}`)
  if (encoded.length === 1) return `${kind}; filename*=${encoded[0]}`
  return `${kind}; ${encoded.map((section, index) => `filename*${index}*=${section}`).join('; ')}`
}

/** Everything but the attribute characters of RFC 2231, 7. */
function percentEncoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Parts of a parameter value (RFC 2231, 3) that fit a line; no encoded byte is divided. */
function sections(value: string): string[] {
  const found: string[] = ['']
  for (const [unit] of value.matchAll(/%[0-9A-F]{2}|[^]/g)) {
    const last = found.at(-1) ?? ''
    if (last.length + unit.length > LINE - 20) found.push(unit)
    else found[found.length - 1] = last + unit
  }
  return found
}
