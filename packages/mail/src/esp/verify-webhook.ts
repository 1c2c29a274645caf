import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { asObject, asText } from './esp-event.ts'
import type { WebhookEsp } from './parse-webhook.ts'

export interface WebhookCall {
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Raw body: signatures cover bytes. */
  body: Buffer
  json: unknown
}

/**
 * True if a call comes from the ESP (all but SES, see sns-message.ts). `secret` is what its webhook page shows or
 * accepts: SendGrid's public key, Mailgun's signing key, `user:password` or a token for the others. A repeated call
 * is accepted for some days, as the ids of its events are known; later ones are rejected, because the ids are not
 * stored forever.
 */
export function isGenuine(esp: Exclude<WebhookEsp, 'ses'>, call: WebhookCall, secret: string): boolean {
  if (secret === '') return false
  if (esp === 'sendgrid') return hasSendgridSignature(call, secret)
  if (esp === 'mailgun') return hasMailgunSignature(call, secret)
  const given = header(call, 'authorization')
  return isSame(given, `Basic ${Buffer.from(secret).toString('base64')}`) || isSame(given, `Bearer ${secret}`)
}

/** Milliseconds an ESP may retry a webhook; all give up within a day. Event ids are stored for longer. */
const OLDEST = 3 * 86_400_000

/** @param said milliseconds since the epoch; allows clocks to be wrong by minutes */
export function isRecent(said: number): boolean {
  return Math.abs(Date.now() - said) < OLDEST
}

/**
 * Returns the part of a call that may be used once, if the signature does not cover the content: Mailgun's token.
 * Otherwise anybody who has seen one call could sign any other with it.
 */
export function onceOf(esp: WebhookEsp, { json }: WebhookCall): string | null {
  return esp === 'mailgun' ? `token ${asText(asObject(asObject(json).signature).token)}` : null
}

/** ECDSA with SHA-256 over the timestamp and the body. */
function hasSendgridSignature(call: WebhookCall, publicKey: string): boolean {
  if (!isRecent(Number(header(call, 'x-twilio-email-event-webhook-timestamp')) * 1000)) return false
  const signature = Buffer.from(header(call, 'x-twilio-email-event-webhook-signature'), 'base64')
  const signed = Buffer.concat([
    Buffer.from(header(call, 'x-twilio-email-event-webhook-timestamp')),
    call.body,
  ])
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' && verify('sha256', signed, key, signature)
  } catch {
    return false
  }
}

/** HMAC-SHA256 over timestamp and token, in the body. */
function hasMailgunSignature({ json }: WebhookCall, key: string): boolean {
  const { timestamp, token, signature } = asObject(asObject(json).signature)
  const said = asText(timestamp) + asText(token)
  return (
    isRecent(Number(timestamp) * 1000) &&
    isSame(asText(signature), createHmac('sha256', key).update(said).digest('hex'))
  )
}

function header({ headers }: WebhookCall, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash(given), hash(wanted))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
