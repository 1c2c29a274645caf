import { feedbackKind } from '../bounce/feedback-type.ts'
import { asObject, asObjects, asText, type EspEvent, espEvent, type Json } from './esp-event.ts'

export const webhookEsps = [
  'ses',
  'mailgun',
  'sendgrid',
  'postmark',
  'sparkpost',
  'brevo',
  'mailjet',
] as const
export type WebhookEsp = (typeof webhookEsps)[number]

/**
 * Parses the events of a webhook call, as documented by the ESPs (November 2026). Events that are not about the
 * delivery or use of a message are skipped. Never throws.
 * @param body parsed JSON; for SES the message inside the SNS envelope
 */
export function parseWebhook(esp: WebhookEsp, body: unknown): EspEvent[] {
  return PARSERS[esp](body)
    .filter(event => event !== null)
    .map(espEvent)
}

type Found = Parameters<typeof espEvent>[0] | null

const PARSERS: Record<WebhookEsp, (body: unknown) => Found[]> = {
  ses: body => ofSes(asObject(body)),
  mailgun: body => [ofMailgun(asObject(asObject(body)['event-data']))],
  sendgrid: body => asObjects(body).map(ofSendgrid),
  postmark: body => asObjects(body).map(ofPostmark),
  sparkpost: body =>
    asObjects(body).map(({ msys }) => ofSparkpost(asObject(Object.values(asObject(msys))[0]))),
  brevo: body => asObjects(body).map(ofBrevo),
  mailjet: body => asObjects(body).map(ofMailjet),
}

function typeIn(types: Record<string, EspEvent['type']>, name: unknown): EspEvent['type'] | null {
  const key = asText(name)
  return Object.hasOwn(types, key) ? (types[key] ?? null) : null
}

function ofSes(message: Json): Found[] {
  const kind = asText(message.eventType ?? message.notificationType)
  const named = typeIn(
    {
      Bounce: 'bounce',
      Reject: 'bounce',
      Complaint: 'complaint',
      Delivery: 'delivered',
      DeliveryDelay: 'deferred',
      Open: 'open',
      Click: 'click',
      Subscription: 'unsubscribe',
    },
    kind,
  )
  // SES reports other feedback types the same way (RFC 5965, 7.3).
  const feedback = feedbackKind(asText(asObject(message.complaint).complaintFeedbackType))
  const type = named === 'complaint' ? feedback : named
  if (type === null || type === 'feedback') return []
  const mail = asObject(message.mail)
  const tag = asObject(mail.tags).emma
  const about = asObject(message[kind[0]?.toLowerCase() + kind.slice(1)])
  // SES reports every change of preferences, including resubscriptions.
  if (kind === 'Subscription' && asObject(about.newTopicPreferences).unsubscribeAll !== true) return []
  const at = about.timestamp ?? mail.timestamp
  const id = asText(about.feedbackId) || `${asText(mail.messageId)} ${kind} ${asText(at)}`
  const people = asObjects(
    about.bouncedRecipients ??
      about.complainedRecipients ??
      about.delayedRecipients ?? { emailAddress: mail.destination },
  )
  return people.map(person => ({
    id: people.length === 1 ? id : `${id} ${asText(person.emailAddress)}`,
    type:
      type === 'bounce' && about.bounceType === 'Transient' && about.bounceSubType === 'DelayedDelivery'
        ? 'deferred'
        : type,
    reference: Array.isArray(tag) ? asText(tag[0]) : '',
    recipient: asText(Array.isArray(person.emailAddress) ? person.emailAddress[0] : person.emailAddress),
    at,
    hard: about.bounceType === 'Permanent',
    isBadAddress: SES_BAD_ADDRESS.has(asText(about.bounceSubType)),
    text: asText(person.diagnosticCode ?? about.smtpResponse ?? about.reason),
    ip: asText(about.ipAddress) || null,
    userAgent: asText(about.userAgent) || null,
  }))
}

/** No such mailbox, or one that was reported as such before. */
const SES_BAD_ADDRESS = new Set(['NoEmail', 'Suppressed', 'OnAccountSuppressionList'])

/** SendGrid's reasons for dropping a message; all others are about the sender or the message. */
const SENDGRID_DROPPED = new Map<string, { type: EspEvent['type']; hard: boolean }>([
  ['bounced address', { type: 'bounce', hard: true }],
  ['invalid', { type: 'bounce', hard: true }],
  ['unsubscribed address', { type: 'unsubscribe', hard: false }],
  // Complained about an earlier message: an unsubscribe, not a complaint about this one.
  ['spam reporting address', { type: 'unsubscribe', hard: false }],
])

function ofMailgun(data: Json): Found {
  const types = { delivered: 'delivered', opened: 'open', clicked: 'click', complained: 'complaint' } as const
  const isTemporary = data.severity === 'temporary'
  const failed = isTemporary ? 'deferred' : 'bounce'
  const type = typeIn({ ...types, unsubscribed: 'unsubscribe', rejected: 'bounce', failed }, data.event)
  if (type === null) return null
  const status = asObject(data['delivery-status'])
  return {
    id: asText(data.id),
    type,
    reference: asText(asObject(data['user-variables']).emma),
    recipient: asText(data.recipient),
    at: data.timestamp,
    // `suppress-…`: Mailgun did not try; `old`: it retried for hours and gave up.
    hard: type === 'bounce' && (data.reason === 'bounce' || data.reason === 'suppress-bounce'),
    isBadAddress: data.reason === 'suppress-bounce',
    text: [status.code, status.message, status.description].map(asText).filter(Boolean).join(' '),
    ip: asText(data.ip) || null,
    userAgent: asText(asObject(data['client-info'])['user-agent']) || null,
  }
}

function ofSendgrid(event: Json): Found {
  const dropped =
    event.event === 'dropped' ? SENDGRID_DROPPED.get(asText(event.reason).toLowerCase()) : undefined
  const type = typeIn(
    {
      delivered: 'delivered',
      deferred: 'deferred',
      bounce: 'bounce',
      dropped: dropped?.type ?? 'bounce',
      spamreport: 'complaint',
      unsubscribe: 'unsubscribe',
      group_unsubscribe: 'unsubscribe',
      open: 'open',
      click: 'click',
    },
    event.event,
  )
  if (type === null) return null
  return {
    id: asText(event.sg_event_id),
    type,
    reference: asText(event.emma),
    recipient: asText(event.email),
    at: event.timestamp,
    // `blocked`: rejected because of the sender or the message. `expired`: given up after three days of retries.
    hard: dropped?.hard ?? (event.event === 'bounce' && event.type !== 'blocked' && event.type !== 'expired'),
    isBadAddress: dropped?.hard === true || event.bounce_classification === 'Invalid Address',
    text: [event.status, event.reason ?? event.response].map(asText).filter(Boolean).join(' '),
    ip: asText(event.ip) || null,
    userAgent: asText(event.useragent) || null,
    isAppleProxy: event.sg_machine_open === true,
  }
}

/** Types that Postmark reports as bounces and that are none; null: not about delivery. */
const POSTMARK_RETURNS = new Map<string, EspEvent['type'] | null>([
  ['Unsubscribe', 'unsubscribe'],
  ['AutoResponder', 'auto_reply'],
  ['Transient', 'deferred'],
  ['DnsError', 'deferred'],
  ['Subscribe', null],
  ['AddressChange', null],
  ['OpenRelayTest', null],
  ['ChallengeVerification', null],
  ['ManuallyDeactivated', null],
  ['Unconfirmed', null],
  ['InboundError', null],
])

function ofPostmark(event: Json): Found {
  const returned = POSTMARK_RETURNS.get(asText(event.Type))
  if (event.RecordType === 'Bounce' && returned === null) return null
  const type = typeIn(
    {
      Bounce: returned ?? 'bounce',
      SpamComplaint: 'complaint',
      Delivery: 'delivered',
      Open: 'open',
      Click: 'click',
      SubscriptionChange: 'unsubscribe',
    },
    event.RecordType,
  )
  if (type === null) return null
  // Otherwise reactivated, or deactivated because of a bounce or complaint that is reported separately.
  const isOwnWish = event.SuppressSending === true && event.SuppressionReason === 'ManualSuppression'
  if (event.RecordType === 'SubscriptionChange' && !isOwnWish) return null
  const at = event.BouncedAt ?? event.DeliveredAt ?? event.ReceivedAt ?? event.ChangedAt
  const name = asText(event.ID) || `${asText(event.MessageID)} ${asText(at)} ${asText(event.OriginalLink)}`
  return {
    id: `${asText(event.RecordType)} ${name}`,
    type,
    reference: asText(asObject(event.Metadata).emma),
    recipient: asText(event.Email ?? event.Recipient),
    at,
    hard: event.Type === 'HardBounce' || event.Type === 'BadEmailAddress',
    isBadAddress: event.Type === 'BadEmailAddress',
    text: asText(event.Details) || asText(event.Description),
    ip: asText(asObject(event.Geo).IP) || null,
    userAgent: asText(event.UserAgent) || null,
  }
}

/** Invalid recipient, no such mailbox. */
const SPARKPOST_HARD = new Set(['10', '30'])

/** Classes of inbound messages that are not bounces; null: a subscription or a challenge-response request. */
const SPARKPOST_RETURNS = new Map<string, EspEvent['type'] | null>([
  ['60', 'auto_reply'],
  ['80', null],
  ['90', 'unsubscribe'],
  ['100', null],
])

function ofSparkpost(event: Json): Found {
  const returned = SPARKPOST_RETURNS.get(asText(event.bounce_class))
  if (returned === null) return null
  const type = typeIn(
    {
      delivery: 'delivered',
      delay: 'deferred',
      bounce: returned ?? 'bounce',
      out_of_band: returned ?? 'bounce',
      policy_rejection: 'bounce',
      generation_failure: 'bounce',
      generation_rejection: 'bounce',
      spam_complaint: 'complaint',
      list_unsubscribe: 'unsubscribe',
      link_unsubscribe: 'unsubscribe',
      open: 'open',
      initial_open: 'open',
      click: 'click',
    },
    event.type,
  )
  if (type === null) return null
  return {
    id: asText(event.event_id),
    type,
    reference: asText(asObject(event.rcpt_meta).emma),
    recipient: asText(event.rcpt_to),
    at: Number(event.timestamp) || event.timestamp,
    hard: type === 'bounce' && SPARKPOST_HARD.has(asText(event.bounce_class)),
    isBadAddress: true,
    text: asText(event.raw_reason) || asText(event.reason),
    ip: asText(event.ip_address) || null,
    userAgent: asText(event.user_agent) || null,
  }
}

function ofBrevo(event: Json): Found {
  const type = typeIn(
    {
      delivered: 'delivered',
      deferred: 'deferred',
      soft_bounce: 'bounce',
      hard_bounce: 'bounce',
      invalid_email: 'bounce',
      blocked: 'bounce',
      error: 'bounce',
      spam: 'complaint',
      complaint: 'complaint',
      unsubscribed: 'unsubscribe',
      opened: 'open',
      unique_opened: 'open',
      proxy_open: 'open',
      unique_proxy_open: 'open',
      click: 'click',
    },
    event.event,
  )
  if (type === null) return null
  const at = Number(event.ts_event) || event.date
  return {
    // Its `id` is the webhook's. One open may be reported under two names in the same second.
    id: `${asText(event['message-id'])} ${type === 'open' ? type : asText(event.event)} ${asText(at)} ${asText(event.link)}`,
    type,
    reference: asText(event['X-Mailin-custom']),
    recipient: asText(event.email),
    at,
    hard: event.event === 'hard_bounce' || event.event === 'invalid_email',
    isBadAddress: event.event === 'invalid_email',
    text: asText(event.reason),
    ip: asText(event.ip) || null,
    userAgent: asText(event.user_agent) || null,
    // "Loaded by proxy": Apple Mail Privacy Protection.
    isAppleProxy: asText(event.event).endsWith('proxy_open'),
  }
}

function ofMailjet(event: Json): Found {
  // Greylisting is temporary, and Mailjet tries again.
  const failed = event.error === 'greylisted' ? 'deferred' : 'bounce'
  const type = typeIn(
    {
      sent: 'delivered',
      bounce: failed,
      blocked: failed,
      spam: 'complaint',
      unsub: 'unsubscribe',
      open: 'open',
      click: 'click',
    },
    event.event,
  )
  if (type === null) return null
  return {
    id: `${asText(event.MessageID)} ${asText(event.event)} ${asText(event.time)} ${asText(event.url)}`,
    type,
    reference: asText(event.CustomID),
    recipient: asText(event.email),
    at: event.time,
    hard: failed === 'bounce' && event.hard_bounce === true,
    text: [event.error, event.comment ?? event.smtp_reply].map(asText).filter(Boolean).join(': '),
    ip: asText(event.ip) || null,
    userAgent: asText(event.agent) || null,
  }
}
