import { randomBytes } from 'node:crypto'
import { needsSmtpUtf8 } from '../address.ts'
import { mergeConstants, type MergeData, type Segments } from '../segments.ts'
import { assertHeaderText, type HeaderField, headerField, textField } from './header.ts'
import { encodeQuotedPrintable } from './quoted-printable.ts'
import { type MailHeaders, senderFields } from './sender-fields.ts'

/** Content of a campaign, independent of the recipient. */
export interface MailSource {
  subject: Segments
  /**
   * Null for text-only messages; otherwise text and HTML are sent as alternatives, or HTML only if there is no text.
   */
  html: Segments | null
  text: Segments
  headers: MailHeaders
}

export type Slot = (data: MergeData) => string

/** A message whose constant parts are encoded, for buildMail. Immutable; shared by all recipients of a campaign. */
export interface CompiledMail {
  fields: readonly HeaderField[]
  /** The complete field if the subject has no slots. */
  subject: HeaderField | Segments
  /** Encoded constants; slot number `slotOrder[i]` is between pieces i and i + 1. */
  pieces: readonly Buffer[]
  slotOrder: readonly number[]
  /** Distinct slots, each once. */
  slots: readonly Slot[]
  /** True for a single-part text message: its last lines may come from an empty slot. */
  endsInText: boolean
  /** True if a sender address needs SMTPUTF8. */
  smtpUtf8: boolean
}

/**
 * Encodes everything that does not depend on the recipient, once per campaign.
 * @throws HeaderError for line breaks, invalid addresses, names or ids in header values
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

/** `=_` cannot occur in quoted-printable text, so no part contains the boundary. */
function alternatives(text: Segments, html: Segments, boundary: string): Segments {
  return [
    `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\n${ENCODING}\r\n\r\n`,
    ...encodeSegments(text),
    `\r\n--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\n${ENCODING}\r\n\r\n`,
    ...encodeSegments(html),
    `\r\n--${boundary}--\r\n`,
  ]
}

/** Some readers prefer text and would show an empty text part; spam filters count it too. */
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

/** Encodes the constants so that every slot begins and ends at a line start. */
function encodeSegments(segments: Segments): Segments {
  const merged = mergeConstants(segments)
  return merged.flatMap((segment, index) => {
    const hasNext = index + 1 < merged.length
    // Two adjacent slots: adjacent constants are already merged.
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
