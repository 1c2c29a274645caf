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

/** Postmark: up to 500 mails a call, each with an answer of its own. */
export const postmark: EspApi = {
  batch: 500,
  async toRequest({ secret, stream }, mails) {
    const messages = await Promise.all(
      mails.map(async mail => {
        const { from, replyTo, subject, html, text, headers, messageId } = await readParts(mail)
        return {
          From: mailbox(from),
          To: mail.envelope.to,
          ...(replyTo ? { ReplyTo: mailbox(replyTo) } : {}),
          Subject: subject,
          ...(html === null ? {} : { HtmlBody: html }),
          ...(text === null ? {} : { TextBody: text }),
          // X-PM-KeepID: our Message-ID stays, and receivers drop a second copy.
          Headers: [
            ...headers.map(({ name, value }) => ({ Name: name, Value: value })),
            { Name: 'Message-ID', Value: messageId },
            { Name: 'X-PM-KeepID', Value: 'true' },
          ],
          Metadata: { emma: mail.reference },
          TrackOpens: false,
          TrackLinks: 'None',
          MessageStream: stream ?? 'broadcast',
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
      if (code === 0) return accepted(`${text} ${asText(answer.MessageID)}`)
      if (code === INACTIVE_RECIPIENT || code === INVALID_EMAIL)
        return refused({ about: /\bFrom\b/.test(text) ? 'mail' : 'recipient', text })
      return refused({ about: ABOUT_US.has(code) ? 'login' : 'mail', text })
    })
  },
  explain({ body }) {
    const { ErrorCode: code, Message: text } = readJson(body)
    return { about: ABOUT_US.has(Number(code)) ? 'login' : 'mail', text: asText(text) }
  },
}

const INACTIVE_RECIPIENT = 406
const INVALID_EMAIL = 300

/** Token, confirmed sender, approved account, allowance, stream. */
const ABOUT_US = new Set([10, 400, 401, 405, 412, 413, 1226, 1235])

/** A list at the top: as a field it is read like any other. */
function readAnswers(body: string): Json[] {
  return asList(readJson(`{"list":${body}}`).list)
}

function mailbox({ email, name }: { email: string; name: string }): string {
  return name === '' ? email : `"${name.replaceAll(/["\\]/g, '')}" <${email}>`
}
