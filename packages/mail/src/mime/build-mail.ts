import { mailFault } from '../mail-fault.ts'
import { needsSmtpUtf8 } from '../address.ts'
import { type MergeData, renderSegments } from '../segments.ts'
import { startRender } from '../template/render-budget.ts'
import { hasCharacters } from './charset.ts'
import type { CompiledMail } from './compile-mime.ts'
import { HeaderError, type HeaderField, headerField, textField } from './header.ts'
import { type Mailbox, mailboxField, senderField } from './mailbox.ts'
import { encodeQuotedPrintable } from './quoted-printable.ts'
import { extraField, tokenField } from './sender-fields.ts'

/** Values of one recipient for a compiled message. */
export interface MailRecipient {
  data: MergeData
  to: Mailbox
  /** `unique@host`, without angle brackets. */
  messageId: string
  date: Date
  /** One-click URL (RFC 8058); omitted for transactional mail. */
  unsubscribeUrl?: string
  /** A complete `mailto:` URI. */
  unsubscribeMailto?: string
  /** RFC 9477: identifies this message in a complaint. */
  cfblFeedbackId?: string
  extraHeaders?: Readonly<Record<string, string>>
  /** Replace those of the message. */
  subject?: string | undefined
  replyTo?: Mailbox | undefined
}

/**
 * A message ready for signing and sending. The body is as sent on the wire and as DKIM hashes it (relaxed): CRLF line
 * ends, no line begins with a dot, one CRLF at the end.
 */
export interface BuiltMail {
  fields: HeaderField[]
  body: Buffer
  /** The end of the body, which many messages share; null without attachments. */
  attachments: Buffer | null
  /** True if an address in the header needs SMTPUTF8 (RFC 6531). */
  smtpUtf8: boolean
}

/**
 * Builds the message of one recipient. Control characters in recipient data never reach a header.
 * @throws HeaderError for an invalid address, message id, URL or header name: errors of the caller, not of the data
 */
export function buildMail(mail: CompiledMail, recipient: MailRecipient): BuiltMail {
  if (mail.inUtf8 !== null && !fitsCharset(mail, recipient)) return buildMail(mail.inUtf8, recipient)
  const { data } = recipient
  const toField = mailboxField('To', recipient.to)
  const replyField = recipient.replyTo && senderField('Reply-To', recipient.replyTo)
  const fields = [
    headerField('Date', formatDate(recipient.date)),
    tokenField('Message-ID', messageId(recipient.messageId)),
    toField,
    subjectField(mail, recipient),
    ...(replyField ? [...mail.fields.filter(({ name }) => name !== 'Reply-To'), replyField] : mail.fields),
    ...unsubscribeFields(recipient),
  ]
  if (recipient.cfblFeedbackId !== undefined)
    fields.push(tokenField('CFBL-Feedback-ID', recipient.cfblFeedbackId))
  for (const name in recipient.extraHeaders) fields.push(extraField(name, recipient.extraHeaders[name]!))
  return {
    fields,
    body: fillBody(mail, data),
    attachments: mail.attachments,
    smtpUtf8:
      mail.smtpUtf8 ||
      needsSmtpUtf8(toField.relaxed) ||
      (replyField !== undefined && needsSmtpUtf8(replyField.relaxed)),
  }
}

function subjectField({ subject, charset }: CompiledMail, recipient: MailRecipient): HeaderField {
  if (recipient.subject !== undefined) return textField('Subject', recipient.subject, charset)
  return 'line' in subject ? subject : textField('Subject', renderSegments(subject, recipient.data), charset)
}

/** Whether the charset has all characters of a recipient's values, which are rendered twice then. */
function fitsCharset({ charset, subject, slots }: CompiledMail, recipient: MailRecipient): boolean {
  const { data } = recipient
  if (charset === null) return true
  startRender()
  const values = [
    ...(recipient.subject !== undefined
      ? [recipient.subject]
      : 'line' in subject
        ? []
        : [renderSegments(subject, data)]),
    ...slots.map(slot => slot(data)),
  ]
  return values.every(value => hasCharacters(charset, value))
}

/** Returns the bytes of a message for SMTP DATA: signatures, header, empty line, body. */
export function mailBytes(mail: BuiltMail, signatures: readonly HeaderField[] = []): Buffer[] {
  let header = ''
  for (const field of signatures) header += field.line
  for (const field of mail.fields) header += field.line
  header += '\r\n'
  const head = Buffer.from(header, mail.smtpUtf8 ? 'utf8' : 'latin1')
  return mail.attachments === null ? [head, mail.body] : [head, mail.body, mail.attachments]
}

let lastSecond = -1
let lastDate = ''

/** RFC 5322, 3.3, in UTC. Cached: campaigns format the same second thousands of times. */
function formatDate(date: Date): string {
  const second = Math.floor(date.getTime() / 1000)
  if (second === lastSecond) return lastDate
  lastSecond = second
  lastDate = date.toUTCString().replace('GMT', '+0000')
  return lastDate
}

function messageId(id: string): string {
  if (!/^[\x21-\x3b\x3d\x3f\x41-\x7e]+@[A-Za-z0-9.-]+$/.test(id))
    throw new HeaderError(mailFault('mail.header_message_id'))
  return `<${id}>`
}

const WEB_URL = /^https?:\/\/[\x21-\x3b\x3d\x3f-\x7e]+$/
const MAILTO_URL = /^mailto:[\x21-\x2b\x2d-\x3b\x3d\x3f-\x7e]+$/

/** List-Unsubscribe and List-Unsubscribe-Post (RFC 2369, RFC 8058). */
function unsubscribeFields({ unsubscribeUrl, unsubscribeMailto }: MailRecipient): HeaderField[] {
  const uris: string[] = []
  if (unsubscribeUrl !== undefined) uris.push(listUri(unsubscribeUrl, WEB_URL))
  if (unsubscribeMailto !== undefined) uris.push(listUri(unsubscribeMailto, MAILTO_URL))
  if (uris.length === 0) return []
  const list = headerField('List-Unsubscribe', uris.join(', '))
  return unsubscribeUrl === undefined ? [list] : [list, ONE_CLICK]
}

const ONE_CLICK = headerField('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click')

function listUri(uri: string, form: RegExp): string {
  if (!form.test(uri)) throw new HeaderError(mailFault('mail.header_unsubscribe'))
  return `<${uri}>`
}

function fillBody({ pieces, slots, slotOrder, endsInText, charset }: CompiledMail, data: MergeData): Buffer {
  startRender()
  const values = slots.map(slot => encodeQuotedPrintable(slot(data), charset))
  let size = 0
  for (const piece of pieces) size += piece.length
  for (const slot of slotOrder) size += values[slot]!.length
  const body = Buffer.allocUnsafe(size + 2)
  let offset = 0
  for (let index = 0; index < pieces.length; index++) {
    body.set(pieces[index]!, offset)
    offset += pieces[index]!.length
    if (index === slotOrder.length) break
    offset += body.write(values[slotOrder[index]!]!, offset, 'latin1')
  }
  return endsInText ? endText(body, offset) : body.subarray(0, offset)
}

const CR = 13
const LF = 10
const EQUALS = 61

/**
 * Ends a text-only body with exactly one CRLF: DKIM ignores empty lines at the end (RFC 6376, 3.4.3), so there must
 * be none. Soft line breaks before an empty last slot are removed too.
 */
function endText(body: Buffer, length: number): Buffer {
  let end = length
  while (end >= 2 && body[end - 1] === LF) end -= body[end - 3] === EQUALS ? 3 : 2
  if (end === 0) return body.subarray(0, 0)
  body[end] = CR
  body[end + 1] = LF
  return body.subarray(0, end + 2)
}
