import { systemMailHeader } from '@emma/mail/system-mail.ts'
import PostalMime from 'postal-mime'
import { NOT_SAMPLED, type Verdict } from './authenticate-mail.ts'
import { numberOf, numberOrNull, type SqliteRow, textOf } from './sqlite-value.ts'

export interface MailboxRow {
  /** In lower case, domain as A-labels. */
  address: string
  messages: number
  /** Messages in the spam folder. */
  spam: number
  lastReceivedAt: Date
}

export interface MessageRow {
  id: number
  mailbox: string
  receivedAt: Date
  /** Envelope sender and recipient. */
  sender: string
  recipient: string
  subject: string
  from: string
  messageId: string
  folder: string
  /** Octets as received. */
  size: number
  verified: Verdict['verified']
}

export interface Message extends MessageRow {
  verdict: Verdict
  /** Violations of RFCs in the raw message, as text. */
  faults: string[]
  headers: { name: string; value: string }[]
  /** A system email: its body, which may contain a password link, is hidden. */
  is_withheld: boolean
  /** Null without such a part. Untrusted: show HTML in a sandboxed frame only. */
  html: string | null
  text: string | null
  attachments: { name: string; type: string; size: number }[]
  /** As received, decoded as UTF-8. */
  source: string
  events: EventRow[]
}

export interface EventRow {
  id: number
  at: Date
  /** Id of its message, which may have been evicted. */
  storedId: number
  sender: string
  recipient: string
  /** open, click, scan, unsubscribe-post, unsubscribe-mail, complaint, dsn */
  kind: string
  agent: string
  target: string
  /** HTTP status or SMTP code; 0 without a response, null if the testbed ended before it. */
  status: number | null
  detail: string
}

/** One recipient of one SMTP transaction; see LogEntry in mail-store.ts. */
export interface LogRow {
  id: number
  at: Date
  provider: string
  sender: string
  recipient: string
  behaviour: string
  outcome: string
  code: number
  text: string
  messageId: string
  /** Id of the stored message; null if nothing was stored. */
  storedId: number | null
}

/** Parses a message; one that cannot be parsed still has its source. */
export async function parseMail(
  raw: Buffer,
): Promise<Pick<Message, 'headers' | 'html' | 'text' | 'attachments'>> {
  try {
    const mail = await PostalMime.parse(raw, { maxNestingDepth: 50 })
    return {
      headers: mail.headers.map(header => ({ name: header.originalKey, value: header.value })),
      html: mail.html ?? null,
      text: mail.text ?? null,
      attachments: mail.attachments.map(attachment => ({
        name: attachment.filename ?? '',
        type: attachment.mimeType,
        size: sizeOf(attachment.content),
      })),
    }
  } catch {
    return { headers: [], html: null, text: null, attachments: [] }
  }
}

/** Removes the body of a system email, and the links that simulated readers opened. */
export function withholdSystemMail(message: Message): Message {
  const [head = ''] = message.source.split(/\r?\n\r?\n/, 1)
  if (!systemMail.test(head)) return message
  return { ...message, is_withheld: true, html: null, text: null, attachments: [], source: head, events: [] }
}

const systemMail = new RegExp(`^${systemMailHeader}:`, 'im')

function sizeOf(content: string | ArrayBuffer | Uint8Array): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
}

export function parseVerdict(json: string): Verdict {
  const verdict: Verdict = JSON.parse(json || JSON.stringify(NOT_SAMPLED))
  return verdict
}

export function parseFaults(json: string): string[] {
  const faults: string[] = JSON.parse(json || '[]')
  return faults
}

export function mailboxRow(row: SqliteRow): MailboxRow {
  return {
    address: textOf(row.mailbox),
    messages: numberOf(row.messages),
    spam: numberOf(row.spam),
    lastReceivedAt: new Date(numberOf(row.last_received_at)),
  }
}

export function messageRow(row: SqliteRow): MessageRow {
  const verified = textOf(row.verified)
  return {
    id: numberOf(row.id),
    mailbox: textOf(row.mailbox),
    receivedAt: new Date(numberOf(row.received_at)),
    sender: textOf(row.sender),
    recipient: textOf(row.recipient),
    subject: textOf(row.subject),
    from: textOf(row.from_field),
    messageId: textOf(row.message_id),
    folder: textOf(row.folder),
    size: numberOf(row.size),
    verified: verified === 'pass' || verified === 'fail' ? verified : 'not sampled',
  }
}

export function eventRow(row: SqliteRow): EventRow {
  return {
    id: numberOf(row.id),
    at: new Date(numberOf(row.at)),
    storedId: numberOf(row.stored_id),
    sender: textOf(row.sender),
    recipient: textOf(row.recipient),
    kind: textOf(row.kind),
    agent: textOf(row.agent),
    target: textOf(row.target),
    status: numberOrNull(row.status),
    detail: textOf(row.detail),
  }
}

export function logRow(row: SqliteRow): LogRow {
  return {
    id: numberOf(row.id),
    at: new Date(numberOf(row.at)),
    provider: textOf(row.provider),
    sender: textOf(row.sender),
    recipient: textOf(row.recipient),
    behaviour: textOf(row.behaviour),
    outcome: textOf(row.outcome),
    code: numberOf(row.code),
    text: textOf(row.text),
    messageId: textOf(row.message_id),
    storedId: numberOrNull(row.stored_id),
  }
}
