import { headerOf, type MimeEntity, walk } from './mime-entity.ts'
import { addressIn, readFields } from './report-fields.ts'

/** A spam complaint or another feedback report. */
export interface Complaint {
  feedbackType: string
  addresses: string[]
}

/**
 * Parses a feedback report: RFC 5965 (also used by RFC 9477), X-ARF, or the bare message with a header field that
 * Microsoft's Junk Mail Reporting Program sends back. Null for any other message.
 */
export function readComplaint(mail: MimeEntity): Complaint | null {
  for (const part of walk(mail)) {
    const isReport =
      part.type === 'message/feedback-report' ||
      (part.type.startsWith('text/') &&
        /^feedback-type\s*:/im.test(part.text) &&
        /^user-agent\s*:/im.test(part.text))
    if (isReport) return fromReport(part.text, mail)
  }
  if (mail.headers.has('x-xarf') || mail.headers.has('x-arf'))
    return { feedbackType: 'abuse', addresses: attachedTo(mail) }
  return fromReturnedMail(mail)
}

function fromReport(text: string, mail: MimeEntity): Complaint {
  const fields = readFields(text)
  const named = ['original-rcpt-to', 'removal-recipient'].flatMap(name => fields.get(name) ?? [])
  const addresses = [
    ...new Set(named.map(value => addressIn(value)).filter(address => address.includes('@'))),
  ]
  const type = fields.get('feedback-type')?.[0]?.toLowerCase() ?? 'abuse'
  return {
    feedbackType: type.split(/[\s;]/, 1)[0]!,
    addresses: addresses.length > 0 ? addresses : attachedTo(mail),
  }
}

function fromReturnedMail(mail: MimeEntity): Complaint | null {
  for (const part of walk(mail)) {
    const recipient = headerOf(part, 'x-hmxmroriginalrecipient')
    if (recipient !== '') return { feedbackType: 'abuse', addresses: [addressIn(recipient)] }
  }
  return null
}

function attachedTo(mail: MimeEntity): string[] {
  for (const part of walk(mail)) {
    const to = part === mail ? '' : addressIn(headerOf(part, 'to'))
    if (to.includes('@')) return [to]
  }
  return []
}
