import { randomBytes } from 'node:crypto'
import { accepted, asText, basicAuth, type EspApi, readJson } from './esp-api.ts'

/** Mailgun: messages.mime accepts the whole message. Its tracking is disabled: links and opens are ours. */
export const mailgun: EspApi = {
  batch: 1,
  toRequest({ domain, secret }, [mail]) {
    const boundary = randomBytes(16).toString('hex')
    const fields = {
      to: mail?.envelope.to ?? '',
      'o:tracking': 'no',
      'o:tracking-clicks': 'no',
      'o:tracking-opens': 'no',
      'v:emma': mail?.reference ?? '',
    }
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="message"; filename="message.eml"\r\nContent-Type: message/rfc822\r\n\r\n`
    return {
      method: 'POST',
      path: `/v3/${encodeURIComponent(domain ?? '')}/messages.mime`,
      headers: {
        authorization: basicAuth('api', secret),
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: Buffer.concat([
        Buffer.from(parts.join('') + file),
        ...(mail?.bytes ?? []),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    }
  },
  read({ status, body }) {
    const { id, message } = readJson(body)
    // Without an id nothing was queued, whatever the status.
    return status === 200 && asText(id) !== ''
      ? [accepted(`Mailgun: ${asText(message)} ${asText(id)}`)]
      : null
  },
  explain({ status, body }) {
    const text = asText(readJson(body).message) || body.slice(0, 200)
    // 404: the domain does not belong to this account.
    if (status === 404 || status === 402) return { about: 'login', text }
    return { about: /\bto\b.*not a valid address/i.test(text) ? 'recipient' : 'mail', text }
  },
}
