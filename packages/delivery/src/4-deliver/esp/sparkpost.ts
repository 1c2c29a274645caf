import {
  accepted,
  asList,
  asObject,
  asText,
  type EspApi,
  type Json,
  jsonRequest,
  readJson,
  refused,
} from './esp-api.ts'
import { type MailParts, readParts } from './esp-mail.ts'

/** SparkPost: a transmission with inline content, one recipient per request, since every message differs. */
export const sparkpost: EspApi = {
  batch: 1,
  async toRequest({ secret }, [mail]) {
    if (!mail) throw new RangeError('A request needs a message.')
    const { from, replyTo, subject, html, text, headers, attachments } = await readParts(mail)
    return jsonRequest(
      '/api/v1/transmissions',
      { authorization: secret },
      {
        options: { open_tracking: false, click_tracking: false },
        recipients: [{ address: { email: mail.envelope.to }, metadata: { emma: mail.reference } }],
        content: {
          from: { email: from.email, ...(from.name === '' ? {} : { name: literal(from.name) }) },
          ...(replyTo ? { reply_to: replyTo.email } : {}),
          subject: literal(subject),
          ...(html === null ? {} : { html: literal(html) }),
          ...(text === null ? {} : { text: literal(text) }),
          ...filesOf(
            'attachments',
            attachments.filter(({ contentId }) => contentId === null),
          ),
          ...filesOf(
            'inline_images',
            attachments.filter(({ contentId }) => contentId !== null),
          ),
          headers: Object.fromEntries(headers.map(({ name, value }) => [name, literal(value)])),
        },
      },
    )
  },
  read({ status, body }) {
    if (status !== 200) return null
    const results = asObject(readJson(body).results)
    if (results.total_accepted_recipients === 1)
      return [accepted(`Accepted by SparkPost as ${asText(results.id)}`)]
    if (results.total_rejected_recipients !== 1) return null
    const [error] = asList(results.rcpt_to_errors)
    return [
      refused({
        about: isBadRecipient(error) ? 'recipient' : 'policy',
        text: textOf(error) || 'SparkPost rejected the recipient.',
      }),
    ]
  },
  explain({ status, body }) {
    const [error] = asList(readJson(body).errors)
    const text = textOf(error)
    // 420: the account's allowance is used up.
    if (status === 420) return { about: 'login', text }
    return { about: isBadRecipient(error) ? 'recipient' : 'mail', text }
  },
}

/** The name of an inline image is its Content-ID. */
function filesOf(field: string, files: MailParts['attachments']) {
  if (files.length === 0) return {}
  return {
    [field]: files.map(({ name, type, base64, contentId }) => ({
      name: contentId ?? name,
      type,
      data: base64,
    })),
  }
}

/** The recipient is invalid or on the account's suppression list. */
const BAD_RECIPIENT = new Set(['1902', '5002'])

function isBadRecipient(error: Json | undefined): boolean {
  return BAD_RECIPIENT.has(asText(error?.code))
}

function textOf(error: Json | undefined): string {
  return [error?.message, error?.description].map(asText).filter(Boolean).join(': ')
}

/** SparkPost replaces every `{{ … }}`; these functions of its template language output the braces. */
function literal(text: string): string {
  return text.replaceAll(/\{\{\{|\}\}\}|\{\{|\}\}/g, braces => `{{${FUNCTIONS[braces] ?? ''}()}}`)
}

const FUNCTIONS: Readonly<Record<string, string>> = {
  '{{{': 'opening_triple_curly',
  '}}}': 'closing_triple_curly',
  '{{': 'opening_double_curly',
  '}}': 'closing_double_curly',
}
