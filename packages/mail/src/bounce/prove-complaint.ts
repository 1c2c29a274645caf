import { type ResolveTxt, verifyMail } from '../dkim/verify-mail.ts'
import { feedbackKind } from './feedback-type.ts'
import { type MimeEntity, parseEntity } from './mime-entity.ts'
import { addressIn, readFields } from './report-fields.ts'

/** A complaint verified as coming from the mailbox provider. */
export interface ProvenComplaint {
  /** Address of the recipient who complained, from the report. */
  address: string
  /** Signing domain of the feedback loop. */
  signedBy: string
}

/**
 * Verifies a complaint: the report (RFC 5965) is signed by a trusted feedback loop and names exactly one address
 * itself. The recipient of the reported message does not count: its sender wrote it.
 * @param senders signing domains of trusted feedback loops, lower case
 * @returns null if it cannot be verified for any reason. Never rejects.
 */
export async function proveComplaint(
  raw: Buffer,
  senders: readonly string[],
  resolveTxt: ResolveTxt,
): Promise<ProvenComplaint | null> {
  const address = reportedAddress(parseEntity(raw))
  if (address === null) return null
  const [signedBy] = await verifyMail(raw, senders, resolveTxt)
  return signedBy === undefined ? null : { address, signedBy }
}

/** From the only feedback report at the top level of the message: attached messages may contain others. */
function reportedAddress(mail: MimeEntity): string | null {
  if (mail.type !== 'multipart/report') return null
  const [report, another] = mail.children.filter(({ type }) => type === 'message/feedback-report')
  if (!report || another) return null
  const fields = readFields(report.text)
  const [type = '', otherType] = fields.get('feedback-type') ?? []
  const [recipient, otherRecipient] = fields.get('original-rcpt-to') ?? []
  if (otherType !== undefined || recipient === undefined || otherRecipient !== undefined) return null
  const address = addressIn(recipient)
  return feedbackKind(type) === 'complaint' && address.includes('@') ? address : null
}
