import { describeRecipient } from './describe-recipient.ts'
import type { InboundRecipient } from './inbound-mail.ts'
import { type MimeEntity, ownParts } from './mime-entity.ts'
import { addressIn, bareReport, readFields } from './report-fields.ts'

/**
 * Parses a disposition notification (RFC 8098) for a displayed message. Null for any other message: filters that
 * refuse a message report `deleted` too (RFC 5429, 2.1.1), and a notification in an attached message belongs to
 * somebody else.
 */
export function readReceipt(mail: MimeEntity): InboundRecipient | null {
  for (const part of ownParts(mail)) {
    if (!RECEIPT_TYPE.test(part.type)) continue
    const fields = readFields(part.text)
    if (!SHOWN.test(fields.get('disposition')?.[0] ?? '')) continue
    const named = fields.get('final-recipient') ?? fields.get('original-recipient') ?? []
    return describeRecipient({ ...bareReport(addressIn(named[0] ?? '')), action: 'delivered' }, '', '')
  }
  return null
}

const SHOWN = /;\s*(?:displayed|dispatched|processed)\b/i
const RECEIPT_TYPE = /^message\/(?:global-)?disposition-notification$/
