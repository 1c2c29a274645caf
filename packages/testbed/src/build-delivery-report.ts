import { draw } from './choose-fate.ts'
import { headerBlock } from './message-summary.ts'
import type { ProviderProfile } from './provider-profile.ts'
import { buildReportMail, type ReportPart, rfc5322Date, typedAddress } from './report-mail.ts'

/** Why an accepted message could not be delivered. */
interface Failure {
  status: string
  diagnostic: string
  words: string
}

/**
 * Builds a delivery status notification (RFC 3464) for a message that was accepted first: the reason is derived from
 * the recipient, `dsn-…` addresses always give 5.1.1. It is sent to the envelope sender of the original, with an
 * empty sender (RFC 5321, 4.5.5).
 */
export function buildDeliveryReport(report: {
  provider: ProviderProfile
  seed: string
  recipient: string
  /** Envelope sender of the original. */
  returnPath: string
  original: Buffer
  receivedAt: Date
  now: Date
}): Buffer {
  const { provider, recipient } = report
  const host = provider.mx[0] ?? 'localhost'
  const failure = chooseFailure(recipient, report.seed)
  const words = [
    `This is the mail system at host ${host}.`,
    '',
    'Your message could not be delivered to one or more recipients.',
    '',
    `<${recipient}>: ${failure.words}`,
  ]
  const status = [
    `Reporting-MTA: dns; ${host}`,
    `Arrival-Date: ${rfc5322Date(report.receivedAt)}`,
    '',
    `Final-Recipient: ${typedAddress(recipient)}`,
    `Original-Recipient: ${typedAddress(recipient)}`,
    'Action: failed',
    `Status: ${failure.status}`,
    `Remote-MTA: dns; store.${host}`,
    `Diagnostic-Code: smtp; ${failure.diagnostic}`,
    `Last-Attempt-Date: ${rfc5322Date(report.now)}`,
    '',
  ]
  return buildReportMail({
    from: `Mail Delivery System <MAILER-DAEMON@${host}>`,
    to: report.returnPath,
    subject: 'Undelivered Mail Returned to Sender',
    reportType: 'delivery-status',
    host,
    date: report.now,
    parts: [
      { type: 'text/plain; charset=utf-8', content: words.join('\r\n') },
      { type: 'message/delivery-status', content: status.join('\r\n') },
      returnedPart(report.original, provider.returns),
    ],
  })
}

/** The original, or its header only (RFC 6522, 3). */
export function returnedPart(original: Buffer, returns: ProviderProfile['returns']): ReportPart {
  if (returns === 'message' && original.length <= MOST_RETURNED)
    return { type: 'message/rfc822', content: original }
  return { type: 'text/rfc822-headers', content: headerBlock(original) }
}

const MOST_RETURNED = 256 * 1024

function chooseFailure(recipient: string, seed: string): Failure {
  if (recipient.toLowerCase().startsWith('dsn-')) return FAILURES[0]
  return FAILURES[Math.floor(draw(recipient, seed, 'failure') * FAILURES.length)] ?? FAILURES[0]
}

const FAILURES: readonly [Failure, ...Failure[]] = [
  {
    status: '5.1.1',
    diagnostic: '550 5.1.1 User unknown in local recipient table',
    words: 'user unknown in local recipient table',
  },
  {
    status: '5.2.2',
    diagnostic: '552 5.2.2 Quota exceeded (mailbox for user is full)',
    words: 'the mailbox is full',
  },
  {
    status: '5.2.1',
    diagnostic: '550 5.2.1 The account has been disabled',
    words: 'the account has been disabled',
  },
  {
    status: '5.7.1',
    diagnostic: '554 5.7.1 Message rejected by content filter of the recipient',
    words: 'the message was rejected by a content filter',
  },
]
