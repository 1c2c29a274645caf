import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import PostalMime from 'postal-mime'

/** One mail on its way to a sending service. */
export interface EspMail {
  envelope: SmtpEnvelope
  /**
   * Who got what, signed: the local part of the return path. The service keeps it beside the mail and says it in its
   * events; with it nobody's own message id is needed.
   */
  reference: string
  /** The whole message as it would go over SMTP. */
  raw: Buffer
}

/** A message in parts, for services that take no whole ones. */
export interface MailParts {
  from: { email: string; name: string }
  replyTo: { email: string; name: string } | null
  subject: string
  html: string | null
  text: string | null
  messageId: string
  /** Ours that are not said otherwise: List-Unsubscribe, Feedback-ID … */
  headers: { name: string; value: string }[]
}

/** Services write these themselves, or take them as fields. */
const OTHERWISE_SAID =
  /^(?:from|to|cc|bcc|sender|subject|reply-to|date|message-id|mime-version|content-.*|dkim-signature|return-path|delivered-to|received|received-spf|authentication-results)$/

/**
 * Takes a message of ours apart again.
 *
 * @param forbidden names, in small letters, of headers that the service refuses a message for
 */
export async function readParts({ raw }: EspMail, forbidden?: RegExp): Promise<MailParts> {
  const mail = await PostalMime.parse(raw)
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
  }
}
