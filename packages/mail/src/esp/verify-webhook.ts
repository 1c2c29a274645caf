import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { asObject, asText } from './esp-event.ts'
import type { WebhookEsp } from './parse-webhook.ts'

export interface WebhookCall {
  /** Names in small letters. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it came: signatures are over bytes. */
  body: Buffer
  json: unknown
}

/**
 * Whether a call comes from the service (all but SES, see sns-message.ts). `secret` is what its webhook page shows or takes:
 * SendGrid's public key, Mailgun's signing key, `user:password` or a token for the others. A call that is sent once more
 * within days is no forgery: its events are known by their ids. Later ones are refused, as the ids are not kept for ever.
 */
export function isGenuine(esp: Exclude<WebhookEsp, 'ses'>, call: WebhookCall, secret: string): boolean {
  if (secret === '') return false
  if (esp === 'sendgrid') return hasSendgridSignature(call, secret)
  if (esp === 'mailgun') return hasMailgunSignature(call, secret)
  const given = header(call, 'authorization')
  return isSame(given, `Basic ${Buffer.from(secret).toString('base64')}`) || isSame(given, `Bearer ${secret}`)
}

/** Days that services may try to tell something; they give up within one. The installation keeps what it was told for longer. */
const OLDEST = 3 * 86_400_000

/** @param said milliseconds of the Unix epoch; a clock may be wrong by minutes */
export function isRecent(said: number): boolean {
  return Math.abs(Date.now() - said) < OLDEST
}

/**
 * What may be used once, where a signature is not over what is told: Mailgun's token. Whoever has seen one call could else
 * sign any other with it.
 */
export function onceOf(esp: WebhookEsp, { json }: WebhookCall): string | null {
  return esp === 'mailgun' ? `token ${asText(asObject(asObject(json).signature).token)}` : null
}

/** ECDSA over SHA-256 of the time and the body. */
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

/** HMAC-SHA256 of time and token, in the body. */
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

/** In a time that tells nothing of where they differ. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash(given), hash(wanted))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
