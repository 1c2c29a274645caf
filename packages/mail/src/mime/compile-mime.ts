import { randomBytes } from 'node:crypto'
import { needsSmtpUtf8 } from '../address.ts'
import { mergeConstants, type MergeData, type Segments } from '../segments.ts'
import { attachmentParts, type MailAttachment } from './attachment-part.ts'
import { type Charset, findCharset, hasCharacters } from './charset.ts'
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
  attachments?: readonly MailAttachment[]
  /** Default: UTF-8. */
  charset?: string
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
  /** Header fields of the content: those of the message, or of the part before its attachments. */
  content: readonly HeaderField[]
  /** The encoded end of the body, the same for all recipients; null without attachments. */
  attachments: Buffer | null
  /** Boundary before the attachments; null without. */
  mixedBoundary: string | null
  /** Null: UTF-8. */
  charset: Charset | null
  /** The message in UTF-8, for recipients with values that the charset lacks; null: this is the one. */
  inUtf8: CompiledMail | null
  /** True if a sender address needs SMTPUTF8. */
  smtpUtf8: boolean
}

/**
 * Encodes everything that does not depend on the recipient, once per campaign. A message with constants that its charset
 * lacks is UTF-8.
 * @throws HeaderError for line breaks, invalid addresses, names or ids in header values
 */
export function compileMime(source: MailSource): CompiledMail {
  const tail = endOf(source.attachments ?? [])
  const inUtf8 = compileIn(source, tail, null)
  const charset = findCharset(source.charset ?? 'utf-8')
  if (charset === null || !hasAllConstants(source, charset)) return inUtf8
  const html = source.html && declared(source.html, charset)
  return { ...compileIn({ ...source, html }, tail, charset), inUtf8 }
}

function hasAllConstants({ subject, html, text }: MailSource, charset: Charset): boolean {
  return [subject, html ?? [], text].every(segments =>
    segments.every(segment => typeof segment !== 'string' || hasCharacters(charset, segment)),
  )
}

/** Replaces the declaration of UTF-8 that every HTML document has. */
function declared(html: Segments, { name }: Charset): Segments {
  return html.map(segment =>
    typeof segment === 'string'
      ? segment.replaceAll(/(<meta\b[^<>]{0,200}?\bcharset\s{0,9}=\s{0,9}["']?)utf-?8\b/gi, `$1${name}`)
      : segment,
  )
}

/**
 * The message with further attachments, for one recipient. Those with a Content-ID are in `multipart/related` with its
 * HTML (RFC 2387), if it has any.
 */
export function withAttachments(mail: CompiledMail, attachments: readonly MailAttachment[]): CompiledMail {
  if (attachments.length === 0) return mail
  const inUtf8 = mail.inUtf8 && withAttachments(mail.inUtf8, attachments)
  const isShown = ({ contentId = null }: MailAttachment) =>
    contentId !== null && typeOf(mail.content) !== 'text/plain'
  const inline = attachments.filter(isShown)
  const others = attachments.filter(each => !isShown(each)).map(each => ({ ...each, contentId: null }))
  const shared = sharedTail(mail)
  let { content } = mail
  let opening = ''
  const tail: Buffer[] = []
  if (inline.length > 0) {
    const boundary = newBoundary()
    opening = openPart(boundary, content)
    content = [relatedField(boundary, content)]
    tail.push(attachmentParts(inline, boundary))
  }
  const mixedBoundary = shared?.boundary ?? (others.length > 0 ? newBoundary() : null)
  if (mixedBoundary !== null) {
    opening = openPart(mixedBoundary, content) + opening
    tail.push(...(shared ? [shared.parts] : []), attachmentParts(others, mixedBoundary))
  }
  const [first = Buffer.of(), ...pieces] = mail.pieces
  const outer = mixedBoundary === null ? content : [multipartField('mixed', mixedBoundary)]
  return {
    ...mail,
    fields: [...mail.fields.filter(field => !isContentField(field)), ...outer],
    pieces: [
      Buffer.concat([Buffer.from(opening, 'latin1'), first.subarray(shared?.opening ?? 0)]),
      ...pieces,
    ],
    endsInText: false,
    content,
    attachments: Buffer.concat(tail),
    mixedBoundary,
    inUtf8,
  }
}

/** The attachments of a message without their closing boundary, and how many bytes open its content before them. */
function sharedTail({ attachments, mixedBoundary, content }: CompiledMail) {
  if (attachments === null || mixedBoundary === null) return null
  const closing = `\r\n--${mixedBoundary}--\r\n`.length
  return {
    boundary: mixedBoundary,
    parts: attachments.subarray(0, -closing),
    opening: openPart(mixedBoundary, content).length,
  }
}

/** With the type of its first part, which the images belong to. */
function relatedField(boundary: string, content: readonly HeaderField[]): HeaderField {
  return headerField('Content-Type', `multipart/related; boundary="${boundary}"; type="${typeOf(content)}"`)
}

function typeOf(content: readonly HeaderField[]): string {
  const [, type = 'text/plain'] = /^content-type:([^;]+)/.exec(content[0]?.relaxed ?? '') ?? []
  return type
}

function isContentField({ name }: HeaderField): boolean {
  return name === 'Content-Type' || name === 'Content-Transfer-Encoding'
}

/** The attachments of a message, encoded once. */
interface Tail {
  boundary: string
  parts: Buffer
}

function endOf(attachments: readonly MailAttachment[]): Tail | null {
  if (attachments.length === 0) return null
  const boundary = newBoundary()
  return { boundary, parts: attachmentParts(attachments, boundary) }
}

function compileIn(
  { subject, html, text, headers }: MailSource,
  tail: Tail | null,
  charset: Charset | null,
): CompiledMail {
  const boundary = newBoundary()
  const only = onlyPart(html, text)
  const content = contentFields(only, boundary, charset)
  const encoded =
    only === null ? alternatives(text, html ?? [], boundary, charset) : encodeSegments(html ?? text, charset)
  const fields = [
    ...senderFields(headers),
    VERSION,
    ...(tail === null ? content : [multipartField('mixed', tail.boundary)]),
  ]
  return {
    fields,
    subject: compileSubject(subject, charset),
    ...splitSlots(tail === null ? encoded : [openPart(tail.boundary, content), ...encoded]),
    endsInText: only !== null && tail === null,
    content,
    attachments: tail?.parts ?? null,
    mixedBoundary: tail?.boundary ?? null,
    charset,
    inUtf8: null,
    smtpUtf8: fields.some(field => needsSmtpUtf8(field.relaxed)),
  }
}

const VERSION = headerField('MIME-Version', '1.0')

/** `=_` cannot occur in quoted-printable text and base64, so no part contains the boundary. */
function newBoundary(): string {
  return `=_${randomBytes(12).toString('hex')}`
}

function multipartField(subtype: 'alternative' | 'mixed', boundary: string): HeaderField {
  return headerField('Content-Type', `multipart/${subtype}; boundary="${boundary}"`)
}

function openPart(boundary: string, fields: readonly HeaderField[]): string {
  return `--${boundary}\r\n${fields.map(({ line }) => line).join('')}\r\n`
}

const SOFT_BREAK = '=\r\n'
const ENCODING = 'Content-Transfer-Encoding: quoted-printable'

function alternatives(text: Segments, html: Segments, boundary: string, charset: Charset | null): Segments {
  return [
    `--${boundary}\r\nContent-Type: text/plain; charset=${nameOf(charset)}\r\n${ENCODING}\r\n\r\n`,
    ...encodeSegments(text, charset),
    `\r\n--${boundary}\r\nContent-Type: text/html; charset=${nameOf(charset)}\r\n${ENCODING}\r\n\r\n`,
    ...encodeSegments(html, charset),
    `\r\n--${boundary}--\r\n`,
  ]
}

/** Some readers prefer text and would show an empty text part; spam filters count it too. */
function onlyPart(html: Segments | null, text: Segments): 'plain' | 'html' | null {
  if (html === null) return 'plain'
  return text.every(segment => typeof segment === 'string' && segment.trim() === '') ? 'html' : null
}

/** Header fields of the content: the message itself, or the part before its attachments. */
function contentFields(
  only: 'plain' | 'html' | null,
  boundary: string,
  charset: Charset | null,
): HeaderField[] {
  if (only === null) return [multipartField('alternative', boundary)]
  return [
    headerField('Content-Type', `text/${only}; charset=${nameOf(charset)}`),
    headerField('Content-Transfer-Encoding', 'quoted-printable'),
  ]
}

function nameOf(charset: Charset | null): string {
  return charset?.name ?? 'utf-8'
}

function compileSubject(subject: Segments, charset: Charset | null): HeaderField | Segments {
  const merged = mergeConstants(subject)
  for (const segment of merged) if (typeof segment === 'string') assertHeaderText('Subject', segment)
  const [only = ''] = merged
  return merged.length <= 1 && typeof only === 'string' ? textField('Subject', only, charset) : merged
}

/** Encodes the constants so that every slot begins and ends at a line start. */
function encodeSegments(segments: Segments, charset: Charset | null): Segments {
  const merged = mergeConstants(segments)
  return merged.flatMap((segment, index) => {
    const hasNext = index + 1 < merged.length
    // Two adjacent slots: adjacent constants are already merged.
    if (typeof segment === 'function')
      return hasNext && typeof merged[index + 1] === 'function' ? [segment, SOFT_BREAK] : [segment]
    const encoded = encodeQuotedPrintable(segment, charset)
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
