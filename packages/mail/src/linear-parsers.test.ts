import { expect, it } from 'vitest'
import { parseAddress } from './address.ts'
import { describeAgent } from './agent/describe-agent.ts'
import { parseInbound } from './bounce/parse-inbound.ts'
import { parseDomain } from './domain.ts'
import { writeUrlValues } from './links/url-values.ts'
import { encodeQuotedPrintable } from './mime/quoted-printable.ts'
import { parseQuotedReply } from './smtp/reply.ts'
import { decodeEntities } from './template/html-entities.ts'
import { tokenizeHtml } from './template/html-tokens.ts'
import { selectorCount } from './template/inline-css.ts'
import { maskLiquid } from './template/scan-liquid.ts'
import { stripHtml } from './template/strip-html.ts'
import { growthOf, MAX_GROWTH } from './test-growth.ts'

/**
 * Whatever strangers or users send, the time to read it grows with its size: by the square, a megabyte of what parses
 * worst holds a process for minutes.
 */

function mail(head: string, body: string): void {
  parseInbound(Buffer.from(`${head}\r\n\r\n${body}`))
}

function report(type: string, body: string): void {
  const head = 'From: MAILER-DAEMON@mx.test\r\nContent-Type: multipart/report; boundary=part'
  mail(head, `--part\r\nContent-Type: ${type}\r\n\r\n${body}\r\n--part--\r\n`)
}

const parsers: Record<string, (text: string) => unknown> = {
  'a header': text => mail(`From: a@b.test\r\nTo: ${text}\r\nSubject: ${text}`, ''),
  'header lines': text => mail(`X-A: a\r\n${text}`, ''),
  'a boundary': text => mail(`Content-Type: multipart/mixed; boundary="${text}"`, text.repeat(2)),
  'parts of a mail': text => mail('Content-Type: multipart/mixed; boundary=b', text),
  'a text from a mail system': text => mail('From: MAILER-DAEMON@mx.test\r\nSubject: Undelivered', text),
  'a quoted-printable text': text => mail('Content-Transfer-Encoding: quoted-printable', text),
  'a delivery report': text => report('message/delivery-status', `Reporting-MTA: dns; mx\r\n\r\n${text}`),
  'fields of a delivery report': text =>
    report('message/delivery-status', `Final-Recipient: rfc822; ${text}\r\nDiagnostic-Code: smtp; ${text}`),
  'a feedback report': text =>
    report('message/feedback-report', `Feedback-Type: abuse\r\nUser-Agent: x\r\n${text}`),
  'fields of a feedback report': text =>
    report('message/feedback-report', `Feedback-Type: ${text}\r\nUser-Agent: x\r\nOriginal-Rcpt-To: ${text}`),
  'an original mail': text => report('text/rfc822-headers', `Message-ID: ${text}\r\nTo: ${text}`),
  'an SMTP reply': parseQuotedReply,
  'an address': parseAddress,
  'a domain': parseDomain,
  'a user agent': describeAgent,
  'a web address': text => writeUrlValues(`https://shop.test/${text}`, value => value),
  'HTML tokens': tokenizeHtml,
  'HTML without tags': stripHtml,
  'HTML entities': decodeEntities,
  'CSS selectors': selectorCount,
  Liquid: text => maskLiquid(text),
  'quoted-printable': encodeQuotedPrintable,
}

/** Texts that expressions and scanners go back and forth over. */
const units = [
  'a',
  '-',
  ' ',
  '\r\n',
  '(',
  '@',
  'a@b.test ',
  'a: b\r\n',
  'Final-Recipient: rfc822; a@b.test\r\n\r\n',
  '--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
  '=?utf-8?q?',
  '{{ a }} ',
  '<a href="',
  '&#',
]

/** Against sixteen times as much: a quarter of a megabyte, the most that is read of a text. */
const SIZE = 16_000

it.each(Object.entries(parsers))(
  '%s is read in time in proportion to its size',
  (_, parse) => {
    for (const unit of units) {
      const task = (size: number) => void parse(unit.repeat(size / unit.length))
      expect(growthOf(task, SIZE), `of ${JSON.stringify(unit)}`).toBeLessThan(MAX_GROWTH)
    }
  },
  120_000,
)
