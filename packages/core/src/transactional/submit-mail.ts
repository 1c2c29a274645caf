import { createHash } from 'node:crypto'
import { type MailCall, mailCall } from '@emma/contract/actions/transactional.ts'
import { contentId } from '@emma/contract/attachments.ts'
import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { addressKey } from '@emma/mail/address.ts'
import type { SubmittedMail } from '@emma/mail/mime/parse-submitted.ts'
import { cleanLine, dropControls, escapeHtml } from '@emma/mail/template/value-text.ts'
import type { MailAcceptor } from './accept-mails.ts'
import { readMailKey } from './mail-key.ts'
import { readMailTemplate, type SubmissionTemplate } from './mail-template.ts'

/**
 * Reads the transactional email that a program may submit to with a key.
 * @throws EmmaError `token_invalid` for an unknown key, `wrong_state` if it takes no mail over SMTP
 */
export async function readSubmissionTemplate(db: Db, key: string): Promise<SubmissionTemplate> {
  const { transactionalId } = await readMailKey(db, key)
  const template = await readMailTemplate(db, { clientIds: 'all' }, transactionalId)
  if (template.smtpMode === 'off') throw new EmmaError('wrong_state', fault('refusal.smtp_off'))
  return template
}

/**
 * Accepts a message that was submitted over SMTP: one email per recipient, all or none. Its Message-ID is the
 * idempotency key, so that a program that did not get the answer may submit it again.
 * @throws EmmaError `invalid` with the reason, and what `MailAcceptor.accept` throws
 */
export async function submitMail(
  acceptor: MailAcceptor,
  template: SubmissionTemplate,
  mail: SubmittedMail,
  recipients: readonly string[],
): Promise<void> {
  const isFree = template.smtpMode === 'free'
  if (isFree && (mail.from === null || addressKey(mail.from) !== addressKey(template.sender)))
    throw new EmmaError('invalid', fault('refusal.smtp_sender', { sender: template.sender }))

  const data = isFree ? contentOf(mail) : dataOf(mail)
  const shownAs = isFree ? contentIdsOf(mail) : []
  const calls = recipients.map(email => callOf(mail, email, data, shownAs))
  await acceptor.accept({ ...template, ...(isFree && { fields: [] }), isFree, isSmtp: true }, calls, () => '')
}

function callOf(
  mail: SubmittedMail,
  email: string,
  data: MailCall['data'],
  shownAs: readonly (string | undefined)[],
): MailCall {
  const { messageId, replyTo, subject } = mail
  const line = cleanLine(dropControls(subject)).trim()
  const parsed = mailCall.safeParse({
    email,
    data,
    subject: line === '' ? null : line,
    reply_to: replyTo,
    attachments: mail.attachments.map(({ filename, type, content }, index) => ({
      filename: cleanLine(dropControls(filename)),
      content_type: type.toLowerCase(),
      content_id: shownAs[index],
      content: Buffer.from(content).toString('base64'),
    })),
    idempotency_key: messageId === null ? null : keyOf(messageId, email),
  })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.'))
  throw invalid([...new Set(fields)].map(field => fieldError(field, 'field.invalid')))
}

/**
 * Content-IDs of the images that the HTML shows, by attachment. Mail programs give one to every attachment; those that are
 * not shown, or repeat one, are attachments.
 */
function contentIdsOf({ html, attachments }: SubmittedMail): (string | undefined)[] {
  const shown = new Set(
    [...html.matchAll(/\bcid:([^\s"'<>()]{1,600})/gi)].map(([, url = '']) => decodedId(url)),
  )
  return attachments.map(({ contentId: id }) =>
    id !== null && contentId.safeParse(id).success && shown.delete(id) ? id : undefined,
  )
}

/** Content-ID of a URL (RFC 2392), which HTML may have escaped. */
function decodedId(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('&amp;', '&'))
  } catch {
    return url
  }
}

function keyOf(messageId: string, email: string): string {
  const digest = createHash('sha256').update(JSON.stringify([messageId, addressKey(email)]))
  return `smtp ${digest.digest('base64url')}`
}

/** The mail's own content; a mail without HTML gets its text as HTML. */
function contentOf({ html, text }: SubmittedMail): MailCall['data'] {
  const plain = dropControls(text)
  const shown =
    html.trim() === '' ? `<div style="white-space:pre-wrap">${escapeHtml(plain)}</div>` : dropControls(html)
  return { html: shown, text: plain }
}

/** Data for the template: of the header X-EMMA-Data, otherwise the text, if it is a JSON object. */
function dataOf({ data, text }: SubmittedMail): MailCall['data'] {
  const source = data ?? (text.trimStart().startsWith('{') ? text : '{}')
  try {
    const read: unknown = JSON.parse(source)
    const parsed = mailCall.shape.data.safeParse(read)
    if (parsed.success) return parsed.data
  } catch {
    // Told below.
  }
  throw new EmmaError('invalid', fault('refusal.smtp_data'))
}
