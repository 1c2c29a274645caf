import { createHash } from 'node:crypto'
import { accepted, asText, type EspApi, jsonRequest, readJson } from './esp-api.ts'
import { readParts } from './esp-mail.ts'

/**
 * Brevo: accepts a message in parts. Headers apply to the whole call, and ours differ per recipient, so one message
 * per call.
 */
export const brevo: EspApi = {
  batch: 1,
  async toRequest({ secret }, [mail]) {
    if (!mail) throw new RangeError('A call needs a mail.')
    const { from, replyTo, subject, html, text, headers, messageId, attachments } = await readParts(mail)
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
        ...(attachments.length > 0 && {
          attachment: attachments.map(({ name, base64 }) => ({ name, content: base64 })),
        }),
        headers: {
          ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          'X-Mailin-custom': mail.reference,
          // The same key within half an hour is sent once.
          idempotencyKey: uuidOf(`${messageId} ${mail.envelope.to}`),
        },
      },
    )
  },
  read({ status, body }) {
    const { messageId, code } = readJson(body)
    // The response to an earlier call was lost.
    if (code === 'duplicate_parameter') return [accepted('Accepted by Brevo when it was asked before')]
    return status === 201 || status === 202 ? [accepted(`Accepted by Brevo as ${asText(messageId)}`)] : null
  },
  explain({ status, body }) {
    const { code, message } = readJson(body)
    const text = asText(message)
    if (status === 402 || code === 'not_enough_credits') return { about: 'login', text }
    return { about: /\bto\b/i.test(text) && /not valid|invalid/i.test(text) ? 'recipient' : 'mail', text }
  },
}

/** Brevo accepts only UUIDs, preferably version 4 (RFC 9562, 5.4): the bits of a hash are as good as random ones. */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function named({ email, name }: { email: string; name: string }) {
  return name === '' ? { email } : { email, name }
}
