import type { InboundKind } from '../bounce/inbound-mail.ts'

/** A message of a server, a gateway or a person, with its label. */
export interface LabelledMail {
  name: string
  lines: string[]
  kind: InboundKind
  /** For reports: class, hard flag and address. */
  class?: string
  hard?: boolean
}

export const RECIPIENT = 'anna@example.net'
export const DAEMON = 'Mail Delivery System <MAILER-DAEMON@mx.example.org>'
export const POSTMASTER = 'postmaster@example.org'

export const ORIGINAL = [
  'Return-Path: <b-tok@bounce.example.com>',
  'Message-ID: <c17.m4@example.com>',
  'From: News <news@example.com>',
  `To: ${RECIPIENT}`,
  'Subject: Spring',
  '',
  'Hello Anna',
]

export function report(
  name: string,
  lines: string[],
  reason: string,
  hard: boolean,
  kind: InboundKind = 'bounce',
): LabelledMail {
  return { name, lines, kind, class: reason, hard }
}

export function other(name: string, lines: string[], kind: InboundKind): LabelledMail {
  return { name, lines, kind }
}

/** Builds a report in prose. */
export function prose(
  from: string,
  subject: string,
  body: string[],
  header: string[] = ['Return-Path: <>'],
): string[] {
  const type = 'Content-Type: text/plain; charset=utf-8'
  return [...header, `From: ${from}`, TO, `Subject: ${subject}`, type, '', ...body]
}

/** Builds a report with prose, fields and the original (RFC 3464). */
export function fields(from: string, subject: string, text: string[], about: string[]): string[] {
  return [
    'Return-Path: <>',
    `From: ${from}`,
    TO,
    `Subject: ${subject}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"',
    '',
    '--=_b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...text,
    '',
    '--=_b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.org',
    '',
    ...about,
    '',
    '--=_b',
    'Content-Type: message/rfc822',
    '',
    ...ORIGINAL,
    '',
    '--=_b--',
  ]
}

/** Builds the fields of one recipient. */
export function recipient(status: string, diagnostic: string, action = 'failed'): string[] {
  const lines = [`Final-Recipient: rfc822; ${RECIPIENT}`, `Action: ${action}`, `Status: ${status}`]
  return diagnostic === '' ? lines : [...lines, `Diagnostic-Code: ${diagnostic}`]
}

const TO = 'To: b-tok@bounce.example.com'
