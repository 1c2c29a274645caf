import { isDelayWarning } from './delay-warning.ts'
import { describeRecipient } from './describe-recipient.ts'
import type { InboundRecipient } from './inbound-mail.ts'
import { headerOf, type MimeEntity, ownParts, walk } from './mime-entity.ts'
import { isMailSystem } from './report-evidence.ts'
import { bareReport, type RecipientReport, readRecipientReports } from './report-fields.ts'
import { readTextReports, type TextReport } from './text-report.ts'

/**
 * Returns the recipients of a delivery report: from its fields (RFC 3464) if present, completed by its prose;
 * otherwise from the prose alone. At least one; its address is '' if the report names none.
 */
export function readDeliveryReport(report: MimeEntity, text: string): InboundRecipient[] {
  const inProse = readTextReports(report, text)
  const reports = findRecipientReports(report, text)
  if (reports.length > 0) {
    const words = new Map(inProse.toReversed().map(block => [block.address.toLowerCase(), block.words]))
    return reports.map(fields => {
      const address = fields.address.toLowerCase()
      const block = words.get(address) ?? ''
      // Each block is used once: a thousand reports about one address must not parse its prose a thousand times.
      words.delete(address)
      return describeRecipient(fields, block, reports.length === 1 ? text : '')
    })
  }
  const named = inProse.length > 0 ? inProse : [{ address: '', words: text }]
  const action = isDelayWarning(headerOf(report, 'subject'), text) ? 'delayed' : ''
  return named.map(block => fromProse(block, action, named.length === 1 ? text : ''))
}

/** True if a message has the fields of a delivery report. */
export function hasRecipientReports(report: MimeEntity, text: string): boolean {
  return findRecipientReports(report, text).length > 0
}

function findRecipientReports(report: MimeEntity, text: string): RecipientReport[] {
  for (const part of isFromSomebody(report) ? ownParts(report) : walk(report)) {
    if (STATUS_TYPE.test(part.type)) return readRecipientReports(part.text)
  }
  // Some systems write the fields into the text.
  return /^(?:final|original)-recipient\s*:/im.test(text) ? readRecipientReports(text) : []
}

/** A person forwarded a report: a reply, from an address that accepts replies. */
function isFromSomebody(mail: MimeEntity): boolean {
  const returnPath = headerOf(mail, 'return-path').trim()
  return returnPath.includes('@') && !isMailSystem(headerOf(mail, 'from')) && !isMailSystem(returnPath)
}

const STATUS_TYPE = /^message\/(?:global-)?delivery-status$/

function fromProse({ address, words }: TextReport, action: string, text: string): InboundRecipient {
  return describeRecipient({ ...bareReport(address), action }, words, text)
}
