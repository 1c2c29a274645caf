import { createHash } from 'node:crypto'

/**
 * What Gmail's feedback loop counts complaints by (support.google.com/mail/answer/6254652): campaign, client, mail class and
 * sender. No two of them look the same, or their figures would be added up; the sender has 5 to 15 characters, or there
 * would be none.
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

/** One word that no reader takes for a separator or for an encoded word (RFC 2047). */
function plainWord(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '_')
}

/** The domain, or where it does not fit, its beginning and what tells it from others. */
function senderId(domain: string): string {
  if (domain.length >= 5 && domain.length <= 15) return domain
  const mark = createHash('sha256').update(domain).digest('hex').slice(0, 6)
  return `${domain.slice(0, 8)}-${mark}`
}
