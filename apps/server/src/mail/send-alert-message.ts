import { EmmaError } from '@emma/contract/errors.ts'
import { filled } from '@emma/contract/faults.ts'
import type { ClaimedMessage, Outcome } from '@emma/core/deliverability/alerts/alert-outbox.ts'
import { readSettingSecret, readSystemSettings } from '@emma/core/platform/system-settings.ts'
import type { Http } from '../http/http.ts'
import { guardedFetch, type Reach } from '../provider/guarded-fetch.ts'
import { escapeHtml } from '../tracking/escape-html.ts'
import { mailLanguage, mailTexts } from './mail-texts.ts'
import { sendSystemMail } from './send-system-mail.ts'

type Sending = Pick<Http, 'config' | 'db'>

/** Characters of an SMS, and of a stored error. */
const SMS_LENGTH = 300
const ERROR_LENGTH = 300

const limits = { timeout: 15_000, most: 20_000 }
const fetchGateway: Partial<Record<Reach, ReturnType<typeof guardedFetch>>> = {
  public: guardedFetch('public', limits),
  loopback: guardedFetch('loopback', limits),
}

/** Sends a message of an alert by system email or by the SMS gateway. Never throws. */
export async function sendAlertMessage(sending: Sending, message: ClaimedMessage): Promise<Outcome> {
  try {
    return await (message.channel === 'email' ? sendMail(sending, message) : sendSms(sending, message))
  } catch (error) {
    const reason =
      error instanceof EmmaError ? error.code : error instanceof Error ? error.message : String(error)
    return { state: 'failed', error: reason.slice(0, ERROR_LENGTH) }
  }
}

async function sendMail(sending: Sending, message: ClaimedMessage): Promise<Outcome> {
  const { subject, lines, open, reason, language } = textsOf(message)
  const url = `${sending.config.publicUrl}/settings/alerts/edit/${message.alertId}`
  await sendSystemMail(sending, {
    to: message.recipient,
    subject,
    text: `${[...lines, `${open}: ${url}`, reason].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;font:16px/1.5 system-ui,sans-serif;color:#18181b">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
<p style="margin:0 0 16px"><strong>${escapeHtml(subject)}</strong></p>
${lines.map(text => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')}
<p style="margin:0 0 24px"><a href="${escapeHtml(url)}">${escapeHtml(open)}</a></p>
<p style="margin:0;color:#52525b;font-size:13px">${escapeHtml(reason)}</p>
</div></body></html>`,
  })
  return { state: 'sent' }
}

/** An SMS is kept here if the installation has no gateway. */
async function sendSms({ config, db }: Sending, message: ClaimedMessage): Promise<Outcome> {
  const { sms } = await readSystemSettings(db)
  if (!sms.is_enabled || sms.url === null) return { state: 'kept' }
  const { subject, lines } = textsOf(message)
  const key = await readSettingSecret(db, config.deriveKey('secrets at rest'), 'sms')
  const call = fetchGateway[config.webhookLoopback ? 'loopback' : 'public']
  const answer = await call?.(sms.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      to: message.recipient,
      from: sms.sender,
      text: [subject, ...lines].join('\n').slice(0, SMS_LENGTH).toWellFormed(),
    }),
  })
  if (answer?.ok) return { state: 'sent' }
  return { state: 'failed', error: `HTTP ${answer?.status ?? 0}` }
}

/** The texts of a message, in the client's language. */
function textsOf({ name, client, kind, metric, value, threshold, subjects, ...message }: ClaimedMessage) {
  const language = mailLanguage(message.language)
  const texts = mailTexts[language].alert
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const figure = filled(texts.figures[metric], { value: value === null ? '–' : number.format(value) })
  const about = subjects.length === 0 ? [] : [filled(texts.about, { names: subjects.join(', ') })]
  return {
    language,
    subject: filled(texts.subjects[kind], { name, client }),
    lines: [figure, filled(texts.threshold, { value: number.format(threshold) }), ...about],
    open: texts.open,
    reason: texts.reason,
  }
}
