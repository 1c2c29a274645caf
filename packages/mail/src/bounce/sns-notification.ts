import { describeRecipient } from './describe-recipient.ts'
import { feedbackKind } from './feedback-type.ts'
import type { InboundMail } from './inbound-mail.ts'
import { bareReport } from './report-fields.ts'

type Notification = Pick<InboundMail, 'kind' | 'recipients' | 'feedbackType'>

/**
 * Parses a notification of Amazon SES that SNS sent as email: the report is JSON in the text. Null for any other
 * text.
 */
export function readNotification(text: string): Notification | null {
  const json = parseJson(text)
  if (json === null) return null
  if (json.notificationType === 'Bounce') {
    const { bounceType, bouncedRecipients } = objectOf(json.bounce)
    const action = bounceType === 'Transient' && !hasFailed(bouncedRecipients) ? 'delayed' : 'failed'
    const recipients = listOf(bouncedRecipients).map(one => toRecipient(one, action))
    return { kind: action === 'failed' ? 'bounce' : 'delayed', recipients }
  }
  if (json.notificationType === 'Complaint') {
    const { complainedRecipients, complaintFeedbackType } = objectOf(json.complaint)
    const recipients = listOf(complainedRecipients).map(one => toRecipient(one, 'other'))
    const feedbackType = stringOf(complaintFeedbackType) || 'abuse'
    return { kind: feedbackKind(feedbackType), recipients, feedbackType }
  }
  if (json.notificationType !== 'Delivery') return null
  const { recipients, smtpResponse } = objectOf(json.delivery)
  const addresses = Array.isArray(recipients) ? recipients.map(value => stringOf(value)) : []
  const delivered = { action: 'delivered', diagnostic: stringOf(smtpResponse) }
  return {
    kind: 'delivered',
    recipients: addresses.map(address => describeRecipient({ ...bareReport(address), ...delivered }, '', '')),
  }
}

type Json = Readonly<Record<string, unknown>>

/** The JSON object in the text. Relays that wrap long lines insert `!` and a line end. */
function parseJson(text: string): Json | null {
  const start = text.indexOf('{"')
  const end = text.lastIndexOf('}')
  if (start < 0 || end < start || !text.includes('"notificationType"')) return null
  try {
    return objectOf(JSON.parse(text.slice(start, end + 1).replaceAll(/!?\n[ \t]*/g, '')))
  } catch {
    return null
  }
}

function toRecipient(one: Json, action: string) {
  const address = stringOf(one.emailAddress)
  const status = stringOf(one.status)
  return describeRecipient(
    { ...bareReport(address), action, status, diagnostic: stringOf(one.diagnosticCode) },
    '',
    '',
  )
}

function hasFailed(recipients: unknown): boolean {
  return listOf(recipients).some(({ action }) => action === 'failed')
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(item => objectOf(item)) : []
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
