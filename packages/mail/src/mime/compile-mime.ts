import { randomBytes } from 'node:crypto'
import { needsSmtpUtf8 } from '../address.ts'
import { mergeConstants, type MergeData, type Segments } from '../segments.ts'
import { assertHeaderText, type HeaderField, headerField, textField } from './header.ts'
import { encodeQuotedPrintable } from './quoted-printable.ts'
import { type MailHeaders, senderFields } from './sender-fields.ts'

/** What a campaign sends, before any recipient is known. */
export interface MailSource {
  subject: Segments
  /** Null makes a text-only mail; otherwise text and HTML go out as alternatives, or HTML alone where there is no text. */
  html: Segments | null
  text: Segments
  headers: MailHeaders
}

export type Slot = (data: MergeData) => string

/** A mail whose constant bytes are encoded, for buildMail. Never changed; shared by all recipients of a campaign. */
export interface CompiledMail {
  fields: readonly HeaderField[]
  /** The finished field when the subject has no slots. */
  subject: HeaderField | Segments
  /** Encoded constants; the slot with number `slotOrder[i]` stands between pieces i and i + 1. */
  pieces: readonly Buffer[]
  slotOrder: readonly number[]
  /** Each distinct slot once, however often it occurs. */
  slots: readonly Slot[]
  /** True for a mail of one part: its last lines may come from a slot and be empty. */
  endsInText: boolean
  /** True where a sender's address alone makes the mail need SMTPUTF8. */
  smtpUtf8: boolean
}

/**
 * Encodes everything that does not depend on the recipient, once a campaign.
 * @throws HeaderError where a header source would break the mail: line breaks, invalid addresses, names or ids.
 */
export function compileMime({ subject, html, text, headers }: MailSource): CompiledMail {
  const boundary = `=_${randomBytes(12).toString('hex')}`
  const only = onlyPart(html, text)
  const encoded =
    html !== null && only === null ? alternatives(text, html, boundary) : encodeSegments(html ?? text)
  const fields = [...senderFields(headers), ...contentFields(only, boundary)]
  return {
    fields,
    subject: compileSubject(subject),
    ...splitSlots(encoded),
    endsInText: only !== null,
    smtpUtf8: fields.some(field => needsSmtpUtf8(field.relaxed)),
  }
}

const SOFT_BREAK = '=\r\n'
const ENCODING = 'Content-Transfer-Encoding: quoted-printable'

/** `=_` cannot occur in quoted-printable text, so the boundary is never met inside a part. */
function alternatives(text: Segments, html: Segments, boundary: string): Segments {
  return [
    `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\n${ENCODING}\r\n\r\n`,
    ...encodeSegments(text),
    `\r\n--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\n${ENCODING}\r\n\r\n`,
    ...encodeSegments(html),
    `\r\n--${boundary}--\r\n`,
  ]
}

/** An empty text beside HTML is shown by readers that prefer text, and counts as a sign of spam. */
function onlyPart(html: Segments | null, text: Segments): 'plain' | 'html' | null {
  if (html === null) return 'plain'
  return text.every(segment => typeof segment === 'string' && segment.trim() === '') ? 'html' : null
}

function contentFields(only: 'plain' | 'html' | null, boundary: string): HeaderField[] {
  const version = headerField('MIME-Version', '1.0')
  if (only === null)
    return [version, headerField('Content-Type', `multipart/alternative; boundary="${boundary}"`)]
  return [
    version,
    headerField('Content-Type', `text/${only}; charset=utf-8`),
    headerField('Content-Transfer-Encoding', 'quoted-printable'),
  ]
}

function compileSubject(subject: Segments): HeaderField | Segments {
  const merged = mergeConstants(subject)
  for (const segment of merged) if (typeof segment === 'string') assertHeaderText('Subject', segment)
  const [only = ''] = merged
  return merged.length <= 1 && typeof only === 'string' ? textField('Subject', only) : merged
}

/** Encodes the constants so that every slot begins at the start of a line and is followed by one. */
function encodeSegments(segments: Segments): Segments {
  const merged = mergeConstants(segments)
  return merged.flatMap((segment, index) => {
    const hasNext = index + 1 < merged.length
    // Two slots in a row: neighbouring constants are merged already.
    if (typeof segment === 'function')
      return hasNext && typeof merged[index + 1] === 'function' ? [segment, SOFT_BREAK] : [segment]
    const encoded = encodeQuotedPrintable(segment)
    const before = index > 0 && !encoded.startsWith('\r\n') ? SOFT_BREAK : ''
    const after = hasNext && !encoded.endsWith('\r\n') ? SOFT_BREAK : ''
    return [before + encoded + after]
  })
}

function splitSlots(segments: Segments): Pick<CompiledMail, 'pieces' | 'slots' | 'slotOrder'> {
  const pieces: Buffer[] = []
  const slots: Slot[] = []
  const slotOrder: number[] = []
  let constant = ''
  for (const segment of segments) {
    if (typeof segment === 'string') {
      constant += segment
      continue
    }
    pieces.push(Buffer.from(constant, 'latin1'))
    constant = ''
    if (!slots.includes(segment)) slots.push(segment)
    slotOrder.push(slots.indexOf(segment))
  }
  pieces.push(Buffer.from(constant, 'latin1'))
  return { pieces, slots, slotOrder }
}
