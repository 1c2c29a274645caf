import { accepted, asText, type EspApi, jsonRequest, readJson } from './esp-api.ts'
import { readParts } from './esp-mail.ts'

/** Brevo: takes a message in parts; headers are of a call, and ours are of a recipient, so one mail a call. */
export const brevo: EspApi = {
  batch: 1,
  async toRequest({ secret }, [mail]) {
    if (!mail) throw new RangeError('A call needs a mail.')
    const { from, replyTo, subject, html, text, headers } = await readParts(mail)
    return jsonRequest(
      '/v3/smtp/email',
      { 'api-key': secret },
      {
        sender: named(from),
        to: [{ email: mail.envelope.to }],
        ...(replyTo ? { replyTo: named(replyTo) } : {}),
        subject,
        ...(html === null ? {} : { htmlContent: html }),
        ...(text === null ? {} : { textContent: text }),
        headers: {
          ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          'X-Mailin-custom': mail.reference,
          // The same mail asked for twice is sent once.
          idempotencyKey: mail.reference,
        },
      },
    )
  },
  read({ status, body }) {
    if (status !== 201 && status !== 202) return null
    return [accepted(`Accepted by Brevo as ${asText(readJson(body).messageId)}`)]
  },
  explain({ status, body }) {
    const { code, message } = readJson(body)
    const text = asText(message)
    if (status === 402 || code === 'not_enough_credits') return { about: 'login', text }
    return { about: /\bto\b/i.test(text) && /not valid|invalid/i.test(text) ? 'recipient' : 'mail', text }
  },
}

function named({ email, name }: { email: string; name: string }) {
  return name === '' ? { email } : { email, name }
}
