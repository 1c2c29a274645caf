import { TokenizationError } from 'liquidjs'
import { expect, it } from 'vitest'
import { parseAddress } from './address.ts'
import { describeAgent } from './agent/describe-agent.ts'
import { parseInbound } from './bounce/parse-inbound.ts'
import { claimedSignatures } from './dkim/verify-mail.ts'
import { parseDomain } from './domain.ts'
import { extractLinks } from './links/extract-links.ts'
import { writeUrlValues } from './links/url-values.ts'
import { encodeQuotedPrintable } from './mime/quoted-printable.ts'
import { parseQuotedReply } from './smtp/reply.ts'
import { decodeEntities } from './template/html-entities.ts'
import { tokenizeHtml } from './template/html-tokens.ts'
import { findStructureFault } from './template/html-structure.ts'
import { inlineCss, selectorCount } from './template/inline-css.ts'
import { maskLiquid } from './template/scan-liquid.ts'
import { parsePart } from './template/parse-part.ts'
import { stripHtml } from './template/strip-html.ts'
import { isTextTooDeep, textFromHtml } from './template/text-from-html.ts'
import { growthOf, MAX_GROWTH } from './test/growth.ts'

/**
 * Parsers of untrusted input take linear time: with quadratic time, a megabyte of the worst input blocks a process
 * for minutes.
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
  'signatures of a mail': text =>
    claimedSignatures(Buffer.from(`DKIM-Signature: d=a.test; h=${text}\r\n${text}\r\n\r\n${text}`), [
      'a.test',
    ]),
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
  'Liquid that is compiled': text => parsePart('html', text),
  'quoted-printable': encodeQuotedPrintable,
}

/** Parsers of libraries, which are slower: measured with less input. */
const contentParsers: Record<string, (text: string) => unknown> = {
  'the structure of HTML': findStructureFault,
  'links of HTML and text': unlessUnclosed(text => extractLinks(text, text)),
  'CSS that is inlined': unlessUnclosed(text =>
    inlineCss(`<style>p{color:red}${text}</style><p class=a>x</p><p style="${text}">`),
  ),
  'HTML with styles': unlessUnclosed(
    text => findStructureFault(text) === null && inlineCss(`<style>p{color:red}</style>${text}`),
  ),
  'HTML that becomes text': unlessUnclosed(text => isTextTooDeep(text) || textFromHtml(text)),
}

/** An unclosed `{{` is rejected before. */
function unlessUnclosed(parse: (text: string) => unknown): (text: string) => unknown {
  return text => {
    try {
      return parse(text)
    } catch (error) {
      if (error instanceof TokenizationError) return null
      throw error
    }
  }
}

/** Inputs that make regular expressions and scanners backtrack. */
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
  '<p>',
  '<p>x</p>',
  '<b>',
  '<div></x>',
  '<li><tr>',
  '</b>',
  '<!--',
  'p{color:red}',
  ':not(',
  '{{ a | upcase }}',
  '{% if a %}',
  'https://a.test/ ',
]

/** Compared with sixteen times as much: 256 KB, the maximum that is parsed of a text. */
const SIZE = 16_000

const CONTENT_SIZE = 4_000

it.each([
  ...Object.entries(parsers).map(([name, parse]) => ({ name, parse, size: SIZE })),
  ...Object.entries(contentParsers).map(([name, parse]) => ({ name, parse, size: CONTENT_SIZE })),
])(
  '$name parses in linear time',
  ({ parse, size }) => {
    for (const unit of units) {
      const task = (length: number) => void parse(unit.repeat(length / unit.length))
      expect(growthOf(task, size), `of ${JSON.stringify(unit)}`).toBeLessThan(MAX_GROWTH)
    }
  },
  120_000,
)
