import { classifyReply, isBadAddress } from '../smtp/classify-reply.ts'

/** An event of one message, as a sending service reports it. */
export interface EspEvent {
  /** The same when the service tells it again. */
  id: string
  type: 'delivered' | 'deferred' | 'bounce' | 'complaint' | 'unsubscribe' | 'open' | 'click' | 'auto_reply'
  /** What the mail was handed over with: the local part of its return path; '' where the service does not say. */
  reference: string
  recipient: string
  at: Date
  /** Hard bounce: the address does not exist. */
  hard: boolean
  code: number | null
  enhanced: string | null
  text: string
  ip: string | null
  userAgent: string | null
  /** The service saw that Apple fetched the pictures, and nobody may have looked. */
  isAppleProxy: boolean
}

/** JSON of a stranger. */
export type Json = Readonly<Record<string, unknown>>

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A list of objects; a single object is a list of one. */
export function asObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [asObject(value)]
}

export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Said = Pick<EspEvent, 'id' | 'type'> &
  Partial<Omit<EspEvent, 'at' | 'code' | 'enhanced'>> & {
    at: unknown
    /** The service's own category of the bounce says that the address is bad, not just that the refusal is for good. */
    isBadAddress?: boolean
  }

/**
 * Fills in what a service did not say. `at`: seconds since 1970, or a date as text. Codes are read from the text, where
 * services quote the server that refused. A "hard bounce" whose reply is about the sender or the message is a soft one:
 * services call every 5xx hard, spam blocks included. So is one whose words nobody understands, unless the enhanced code
 * or the category of the service says that the address is bad.
 */
export function espEvent({
  id,
  type,
  at,
  hard = false,
  isBadAddress: isNamed = false,
  ...said
}: Said): EspEvent {
  const text = (said.text ?? '').slice(0, 1000)
  const found = /(?:^|\D)([245]\d\d)(?=[ -])/.exec(text)?.[1]
  const code = found === undefined ? null : Number(found)
  const enhanced = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1] ?? null
  return {
    reference: '',
    recipient: '',
    ip: null,
    userAgent: null,
    isAppleProxy: false,
    ...said,
    id: id.slice(0, 300),
    type,
    at: timeOf(at),
    text,
    code,
    enhanced,
    hard: hard && isAboutAddress({ code, enhanced, text }, isNamed),
  }
}

/** True where the reply names the address as the reason, or gives none and the service does or has no words to show. */
function isAboutAddress(
  reply: { code: number | null; enhanced: string | null; text: string },
  isNamed: boolean,
): boolean {
  const { class: reason } = classifyReply({ ...reply, code: reply.code ?? 550 })
  return isBadAddress(reason) || (reason === 'other' && (isNamed || !hasWords(reply.text)))
}

/** Addresses and the name of the protocol are no words. */
function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\S+@\S+|\b(?:e?smtp|x-\w+);/gi, ' '))
}

/** A time nobody can read, or one to come, is now. */
function timeOf(value: unknown): Date {
  const milliseconds = typeof value === 'number' ? value * 1000 : Date.parse(asText(value))
  return Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < Date.now()
    ? new Date(milliseconds)
    : new Date()
}
