import { accepted, asList, asText, type EspApi, jsonRequest, readJson } from './esp-api.ts'
import { readParts } from './esp-mail.ts'

/** SendGrid, v3 mail/send: accepts a message in parts, with one content per call. */
export const sendgrid: EspApi = {
  batch: 1,
  async toRequest({ secret }, [mail]) {
    if (!mail) throw new RangeError('A call needs a mail.')
    const parts = await readParts(mail, FORBIDDEN)
    const content = [
      ...(parts.text === null ? [] : [{ type: 'text/plain', value: parts.text }]),
      ...(parts.html === null ? [] : [{ type: 'text/html', value: parts.html }]),
    ]
    return jsonRequest(
      '/v3/mail/send',
      { authorization: `Bearer ${secret}` },
      {
        personalizations: [{ to: [{ email: mail.envelope.to }], custom_args: { emma: mail.reference } }],
        from: parts.from,
        ...(parts.replyTo ? { reply_to: parts.replyTo } : {}),
        subject: parts.subject,
        content,
        ...(parts.attachments.length > 0 && {
          attachments: parts.attachments.map(({ name, type, base64, contentId }) => ({
            content: base64,
            type,
            filename: name,
            ...(contentId === null
              ? { disposition: 'attachment' }
              : { disposition: 'inline', content_id: contentId }),
          })),
        }),
        headers: Object.fromEntries(parts.headers.map(({ name, value }) => [name, value])),
        tracking_settings: {
          click_tracking: { enable: false, enable_text: false },
          open_tracking: { enable: false },
          subscription_tracking: { enable: false },
        },
      },
    )
  },
  read({ status, headers }) {
    return status === 202
      ? [accepted(`Accepted by SendGrid as ${String(headers['x-message-id'] ?? '')}`)]
      : null
  },
  explain({ body }) {
    const [error] = asList(readJson(body).errors)
    const isRecipient = /^personalizations\.\d+\.to\b/.test(asText(error?.field))
    return { about: isRecipient ? 'recipient' : 'mail', text: asText(error?.message) }
  },
}

/** Header fields that SendGrid rejects ("Custom headers": reserved). */
const FORBIDDEN = /^x-sg-.*$/
