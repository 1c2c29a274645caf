import { createHash } from 'node:crypto'

/**
 * Feedback-ID by which Gmail's feedback loop aggregates complaints (support.google.com/mail/answer/6254652):
 * campaign, client, mail class and sender. The fields must differ from each other, or their figures are added up; a
 * sender id outside 5 to 15 characters is ignored.
 */
export function feedbackId(mail: {
  campaignId: number
  clientId: number
  mailclass: string
  domain: string
}): string {
  const { campaignId, clientId, mailclass, domain } = mail
  return [`campaign-${campaignId}`, `client-${clientId}`, plainWord(mailclass), senderId(domain)].join(':')
}

/** One word without separators and without the form of an encoded word (RFC 2047). */
function plainWord(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '_')
}

/** The domain, or if it is too long, its beginning and a hash. */
function senderId(domain: string): string {
  if (domain.length >= 5 && domain.length <= 15) return domain
  const mark = createHash('sha256').update(domain).digest('hex').slice(0, 6)
  return `${domain.slice(0, 8)}-${mark}`
}
