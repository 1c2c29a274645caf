import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import PostalMime from 'postal-mime'

/** A message to be sent over an ESP. */
export interface EspMail {
  envelope: SmtpEnvelope
  /**
   * Signed local part of the return path. The ESP stores it with the message and returns it in its events, so its own
   * message ids are not needed.
   */
  reference: string
  /** The whole message, as for SMTP: header, body, and attachments, which messages share. */
  bytes: readonly Buffer[]
}

/** A message in parts, for ESPs that do not accept raw messages. */
export interface MailParts {
  from: { email: string; name: string }
  replyTo: { email: string; name: string } | null
  subject: string
  html: string | null
  text: string | null
  messageId: string
  /** Header fields without a parameter of their own: List-Unsubscribe, Feedback-ID … */
  headers: { name: string; value: string }[]
  /** `contentId`: without angle brackets, of an image that the HTML shows; null: an attachment. */
  attachments: { name: string; type: string; base64: string; contentId: string | null }[]
}

/** ESPs write these themselves, or have parameters for them. */
const OTHERWISE_SAID =
  /^(?:from|to|cc|bcc|sender|subject|reply-to|date|message-id|mime-version|content-.*|dkim-signature|return-path|delivered-to|received|received-spf|authentication-results)$/

export function rawOf({ bytes }: EspMail): Buffer {
  return Buffer.concat(bytes)
}

/**
 * Splits a rendered message into parts.
 * @param forbidden lower-case names of header fields that the ESP rejects
 */
export async function readParts(message: EspMail, forbidden?: RegExp): Promise<MailParts> {
  const mail = await PostalMime.parse(rawOf(message), { attachmentEncoding: 'base64' })
  const [replyTo] = mail.replyTo ?? []
  return {
    from: { email: mail.from?.address ?? '', name: mail.from?.name ?? '' },
    replyTo: replyTo ? { email: replyTo.address ?? '', name: replyTo.name } : null,
    subject: mail.subject ?? '',
    html: mail.html ?? null,
    text: mail.text ?? null,
    messageId: mail.messageId ?? '',
    headers: mail.headers
      .filter(({ key }) => !OTHERWISE_SAID.test(key) && !forbidden?.test(key))
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: mail.attachments.map(({ filename, mimeType, content, contentId, disposition }) => ({
      name: filename ?? '',
      type: mimeType,
      base64: typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('base64'),
      contentId: disposition === 'inline' && contentId ? contentId.replaceAll(/^<|>$/g, '') : null,
    })),
  }
}
