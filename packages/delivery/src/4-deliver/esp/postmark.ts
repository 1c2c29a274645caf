import {
  accepted,
  asList,
  asText,
  type EspApi,
  type Json,
  jsonRequest,
  readJson,
  refused,
  unknown,
} from './esp-api.ts'
import { readParts } from './esp-mail.ts'

/** Postmark: up to 500 messages and 50 MB per request, each message with its own result. */
export const postmark: EspApi = {
  batch: 500,
  maxBytes: 50_000_000,
  async toRequest({ secret, stream }, mails) {
    const messages = await Promise.all(
      mails.map(async mail => {
        const { from, replyTo, subject, html, text, headers, messageId, attachments } = await readParts(mail)
        return {
          From: mailbox(from),
          To: mail.envelope.to,
          ...(replyTo ? { ReplyTo: mailbox(replyTo) } : {}),
          Subject: subject,
          ...(html === null ? {} : { HtmlBody: html }),
          ...(text === null ? {} : { TextBody: text }),
          // X-PM-KeepID preserves our Message-ID, so that receivers drop duplicates.
          Headers: [
            ...headers.map(({ name, value }) => ({ Name: name, Value: value })),
            { Name: 'Message-ID', Value: messageId },
            { Name: 'X-PM-KeepID', Value: 'true' },
          ],
          ...(attachments.length > 0 && {
            Attachments: attachments.map(({ name, type, base64, contentId }) => ({
              Name: name,
              Content: base64,
              ContentType: type,
              ...(contentId !== null && { ContentID: `cid:${contentId}` }),
            })),
          }),
          Metadata: { emma: mail.reference },
          TrackOpens: false,
          TrackLinks: 'None',
          MessageStream: stream || DEFAULT_STREAM,
        }
      }),
    )
    return jsonRequest('/email/batch', { 'x-postmark-server-token': secret }, messages)
  },
  read({ status, body }) {
    const answers = status === 200 ? readAnswers(body) : []
    if (answers.length === 0) return null
    return answers.map(answer => {
      const text = `Postmark: ${asText(answer.Message)}`
      const { ErrorCode: code } = answer
      if (typeof code !== 'number') return unknown('Postmark did not say what became of this mail.')
      // During an outage: "Message accepted, but delivery may be delayed."
      if (code === 0 || /^Message accepted\b/i.test(asText(answer.Message)))
        return accepted(`${text} ${asText(answer.MessageID)}`)
      if (code === INACTIVE_RECIPIENT) return refused({ about: 'recipient', text })
      // About any address field: only a hard bounce if it is the recipient's.
      if (code === INVALID_EMAIL)
        return refused({
          about: /(?:^|[^\w-])'?To'?(?![\w-])/.test(asText(answer.Message)) ? 'recipient' : 'mail',
          text,
        })
      return refused({ about: ABOUT_US.has(code) ? 'login' : 'mail', text })
    })
  },
  explain({ body }) {
    const { ErrorCode: code, Message: text } = readJson(body)
    return { about: ABOUT_US.has(Number(code)) ? 'login' : 'mail', text: asText(text) }
  },
}

/** The transactional stream that every server has. */
const DEFAULT_STREAM = 'outbound'

const INACTIVE_RECIPIENT = 406
const INVALID_EMAIL = 300

/** Token, confirmed sender, approved account, allowance, stream. */
const ABOUT_US = new Set([10, 400, 401, 405, 412, 413, 1226, 1235])

/** The response is a top-level array; wrapped in an object, it is parsed like the others. */
function readAnswers(body: string): Json[] {
  return asList(readJson(`{"list":${body}}`).list)
}

function mailbox({ email, name }: { email: string; name: string }): string {
  return name === '' ? email : `"${name.replaceAll(/["\\]/g, '')}" <${email}>`
}
