import { isAutoReply } from './auto-reply.ts'
import { readComplaint } from './complaint.ts'
import { hasRecipientReports, readDeliveryReport } from './delivery-report.ts'
import { feedbackKind } from './feedback-type.ts'
import type { InboundKind, InboundMail, InboundRecipient } from './inbound-mail.ts'
import { type MimeEntity, parseEntity } from './mime-entity.ts'
import { findOriginal } from './original-mail.ts'
import { readReceipt } from './read-receipt.ts'
import { looksLikeReport } from './report-evidence.ts'
import { readReportText } from './report-text.ts'
import { readNotification } from './sns-notification.ts'
import { isProgramsRequest, isUnsubscribeRequest } from './unsubscribe-request.ts'

/**
 * Classifies a message received at the return path: delivery reports with (RFC 3464) and without machine-readable
 * fields, complaints (RFC 5965, RFC 9477), automatic replies (RFC 3834) and unsubscribe requests. A message is a
 * report only if it has the properties of one. Never throws; bounded in time and memory.
 */
export function parseInbound(raw: Buffer): InboundMail {
  const mail = parseEntity(raw.subarray(0, MAX_MAIL))
  const { text, quoted } = readReportText(mail)
  const original = findOriginal(mail, quoted)
  return {
    ...understand(mail, text, quoted),
    ...(original === null
      ? {}
      : { originalMessageId: original.messageId, originalHeaders: original.headers }),
  }
}

const MAX_MAIL = 2 * 1024 * 1024

type Understood = Pick<InboundMail, 'kind' | 'recipients' | 'feedbackType'>

function understand(mail: MimeEntity, text: string, quoted: string): Understood {
  const complaint = readComplaint(mail)
  if (complaint !== null) {
    const recipients = complaint.addresses.map(address => aboutAddress(address))
    const { feedbackType } = complaint
    return { kind: feedbackKind(feedbackType), recipients, feedbackType }
  }
  const notification = readNotification(text)
  if (notification !== null) return notification
  const receipt = readReceipt(mail)
  if (receipt !== null) return asReport([receipt])
  if (hasRecipientReports(mail, text)) return asReport(readDeliveryReport(mail, text))
  if (isProgramsRequest(mail)) return UNSUBSCRIBE
  const evidence = looksLikeReport(mail, text, quoted)
  if (evidence === 'certain') return asReport(readDeliveryReport(mail, text))
  if (isAutoReply(mail, text)) return { kind: 'auto-reply', recipients: [] }
  if (isUnsubscribeRequest(mail)) return UNSUBSCRIBE
  if (evidence === 'likely') return asReport(readDeliveryReport(mail, text))
  return { kind: 'other', recipients: [] }
}

const UNSUBSCRIBE: Understood = { kind: 'unsubscribe', recipients: [], feedbackType: 'opt-out' }

function asReport(recipients: InboundRecipient[]): Understood {
  return { kind: kindOf(recipients), recipients }
}

function kindOf(recipients: readonly InboundRecipient[]): InboundKind {
  const has = (action: InboundRecipient['action']) =>
    recipients.some(recipient => recipient.action === action)
  if (has('failed')) return 'bounce'
  if (has('delayed')) return 'delayed'
  return has('delivered') ? 'delivered' : 'other'
}

function aboutAddress(address: string): InboundRecipient {
  return { address, status: null, reply: null, diagnostic: '', hard: false, class: 'other', action: 'other' }
}
