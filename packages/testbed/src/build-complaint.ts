import { parseAddress } from '@emma/mail/address.ts'
import { returnedPart } from './build-delivery-report.ts'
import { domainOf } from './find-provider.ts'
import { headerField } from './message-summary.ts'
import type { ProviderProfile } from './provider-profile.ts'
import { buildReportMail, rfc5322Date } from './report-mail.ts'

/** Builds a complaint report in the Abuse Reporting Format (RFC 5965), type abuse. */
export function buildComplaint(report: {
  provider: ProviderProfile
  /** Recipient, see complaintAddress. */
  to: string
  recipient: string
  /** Envelope sender of the original. */
  returnPath: string
  original: Buffer
  receivedAt: Date
  now: Date
}): Buffer {
  const { provider } = report
  const domain = provider.domains[0] ?? 'localhost'
  const host = provider.mx[0] ?? 'localhost'
  const fields = [
    'Feedback-Type: abuse',
    'User-Agent: Testbed-FBL/1.0',
    'Version: 1',
    `Original-Mail-From: <${report.returnPath}>`,
    ...(provider.namesComplainer ? [`Original-Rcpt-To: <${report.recipient}>`] : []),
    `Arrival-Date: ${rfc5322Date(report.receivedAt)}`,
    'Source-IP: 127.0.0.1',
    `Reported-Domain: ${fromDomain(report.original) || domainOf(report.returnPath)}`,
    '',
  ]
  return buildReportMail({
    from: `${provider.name.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')} complaints <complaints@${host}>`,
    to: report.to,
    subject: `Complaint about message from ${domainOf(report.returnPath)}`,
    reportType: 'feedback-report',
    host,
    date: report.now,
    parts: [
      {
        type: 'text/plain; charset=utf-8',
        content: `This is an e-mail abuse report for a message received at ${domain} on ${rfc5322Date(report.receivedAt)}.`,
      },
      { type: 'message/feedback-report', content: fields.join('\r\n') },
      returnedPart(report.original, 'headers'),
    ],
  })
}

/**
 * Returns the complaint address of a message: that of its CFBL-Address field (RFC 9477), otherwise the one configured
 * at the provider, otherwise `fbl@` at the domain of its return path; null without any.
 */
export function complaintAddress(original: Buffer, returnPath: string, agreed: string | null): string | null {
  const wanted = parseAddress(headerField(original, 'cfbl-address').split(';')[0])
  if (wanted.ok) return wanted.email
  const fallback = parseAddress(agreed ?? `fbl@${domainOf(returnPath)}`)
  return fallback.ok ? fallback.email : null
}

function fromDomain(original: Buffer): string {
  const address = /@([a-z0-9.-]{1,253})>?\s*$/i.exec(headerField(original, 'from'))
  return address?.[1]?.toLowerCase() ?? ''
}
