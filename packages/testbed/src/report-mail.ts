import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'

/** One part of a multipart/report message; `content` does not end with an empty line. */
export interface ReportPart {
  type: string
  content: string | Buffer
}

export interface ReportMail {
  from: string
  to: string
  subject: string
  /** `delivery-status` or `feedback-report` (RFC 6522). */
  reportType: string
  /** Host name for Message-ID. */
  host: string
  date: Date
  headers?: readonly string[]
  parts: readonly ReportPart[]
}

/** Builds a multipart/report message (RFC 6522) with CRLF line ends, 8-bit if its original is. */
export function buildReportMail(mail: ReportMail): Buffer {
  const boundary = `report-${randomUUID()}`
  const head = [
    `From: ${mail.from}`,
    `To: <${mail.to}>`,
    `Subject: ${mail.subject}`,
    `Date: ${rfc5322Date(mail.date)}`,
    `Message-ID: <${randomUUID()}@${mail.host}>`,
    'Auto-Submitted: auto-replied',
    ...(mail.headers ?? []),
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${mail.reportType};`,
    ` boundary="${boundary}"`,
    '',
    'This is a multipart message in MIME format.',
  ]
  const chunks: Buffer[] = [Buffer.from(`${head.join('\r\n')}\r\n`, 'utf8')]
  for (const part of mail.parts) {
    const content = normaliseLines(part.content)
    const encoding = content.some(octet => octet > 0x7f) ? '8bit' : '7bit'
    const header = `\r\n--${boundary}\r\nContent-Type: ${part.type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
    chunks.push(Buffer.from(header, 'ascii'), content)
  }
  chunks.push(Buffer.from(`\r\n--${boundary}--\r\n`, 'ascii'))
  return Buffer.concat(chunks)
}

/** Normalizes the original: bare CR, bare LF and NUL become what a server would forward. */
function normaliseLines(content: string | Buffer): Buffer {
  const text =
    typeof content === 'string' ? Buffer.from(content, 'utf8').toString('latin1') : content.toString('latin1')
  return Buffer.from(text.replaceAll('\0', '').replace(/\r\n|\r|\n/g, '\r\n'), 'latin1')
}

/** `Sat, 21 Nov 2026 01:32:00 +0000` (RFC 5322, 3.3). */
export function rfc5322Date(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}

/**
 * The typed address of a report field: `rfc822; …` with the domain as A-labels, or `utf-8; …` escaped to ASCII for a
 * non-ASCII local part (RFC 6533, 3).
 */
export function typedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1)) || address.slice(at + 1)
  if (/^[\x21-\x7e]*$/.test(local)) return `rfc822; ${local}@${domain}`
  const escaped = local.replace(/[^\x21-\x2a\x2c-\x3c\x3e-\x5b\x5d-\x7e]/gu, codePoint)
  return `utf-8; ${escaped}@${domain}`
}

function codePoint(char: string): string {
  return `\\x{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
