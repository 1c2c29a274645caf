import {
  accepted,
  asList,
  asText,
  basicAuth,
  type EspApi,
  jsonRequest,
  readJson,
  refused,
  unknown,
} from './esp-api.ts'
import { type MailParts, readParts } from './esp-mail.ts'

/** Mailjet, Send API v3.1: up to 50 messages per call, each with its own result. */
export const mailjet: EspApi = {
  batch: 50,
  async toRequest({ username, secret }, mails) {
    const messages = await Promise.all(
      mails.map(async mail => {
        const { from, replyTo, subject, html, text, headers, attachments } = await readParts(mail, FORBIDDEN)
        return {
          From: mailbox(from),
          To: [{ Email: mail.envelope.to }],
          ...(replyTo ? { ReplyTo: mailbox(replyTo) } : {}),
          Subject: subject,
          ...(text === null ? {} : { TextPart: text }),
          ...(html === null ? {} : { HTMLPart: html }),
          ...filesOf(
            'Attachments',
            attachments.filter(({ contentId }) => contentId === null),
          ),
          ...filesOf(
            'InlinedAttachments',
            attachments.filter(({ contentId }) => contentId !== null),
          ),
          Headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          CustomID: mail.reference,
          TrackOpens: 'disabled',
          TrackClicks: 'disabled',
        }
      }),
    )
    return jsonRequest('/v3.1/send', { authorization: basicAuth(username, secret) }, { Messages: messages })
  },
  read({ status, body }) {
    const answers = status === 401 || status >= 500 ? [] : asList(readJson(body).Messages)
    if (answers.length === 0) return null
    return answers.map(answer => {
      if (answer.Status === 'success')
        return accepted(`Accepted by Mailjet as ${asText(asList(answer.To)[0]?.MessageID)}`)
      const [error] = asList(answer.Errors)
      if (answer.Status !== 'error') return unknown('Mailjet did not say what became of this mail.')
      const text = `Mailjet: ${asText(error?.ErrorCode)} ${asText(error?.ErrorMessage)}`
      const related = Array.isArray(error?.ErrorRelatedTo) ? error.ErrorRelatedTo.map(String) : []
      return refused({ about: related.some(field => field.startsWith('To')) ? 'recipient' : 'mail', text })
    })
  },
  explain({ body }) {
    return { about: 'mail', text: asText(readJson(body).ErrorMessage) }
  },
}

/** Header fields that Mailjet rejects (Send API v3.1, "Headers"). */
const FORBIDDEN =
  /^(?:feedback-id|x-feedback-id|list-id|user-agent|x-mailer|domainkey-status|x-csa-complaints|x-mailjet-.*|x-mj-.*)$/

function filesOf(field: string, files: MailParts['attachments']) {
  if (files.length === 0) return {}
  const list = files.map(({ name, type, base64, contentId }) => ({
    ContentType: type,
    Filename: name,
    Base64Content: base64,
    ...(contentId !== null && { ContentID: contentId }),
  }))
  return { [field]: list }
}

function mailbox({ email, name }: { email: string; name: string }) {
  return name === '' ? { Email: email } : { Email: email, Name: name }
}
