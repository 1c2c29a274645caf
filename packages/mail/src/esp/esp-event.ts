import { classifyReply, isBadAddress } from '../smtp/classify-reply.ts'

/** An event of one message, as reported by an ESP. */
export interface EspEvent {
  /** Stays the same if the ESP reports the event again. */
  id: string
  type: 'delivered' | 'deferred' | 'bounce' | 'complaint' | 'unsubscribe' | 'open' | 'click' | 'auto_reply'
  /** Local part of the return path given to the ESP with the message; '' if the ESP does not return it. */
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
  /** The ESP detected Apple's image prefetch: possibly nobody read the message. */
  isAppleProxy: boolean
}

/** Untrusted JSON. */
export type Json = Readonly<Record<string, unknown>>

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Returns an array of objects; a single object becomes an array of one. */
export function asObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [asObject(value)]
}

export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Said = Pick<EspEvent, 'id' | 'type'> &
  Partial<Omit<EspEvent, 'at' | 'code' | 'enhanced'>> & {
    at: unknown
    /** The ESP's category says that the address is invalid, not only that the failure is permanent. */
    isBadAddress?: boolean
  }

/**
 * Builds an event and fills in what the ESP omitted. `at`: seconds since 1970, or a date as text. Codes are parsed
 * from the text, where ESPs quote the refusing server. A "hard bounce" whose reply is about the sender or the message
 * becomes a soft one: ESPs report every 5xx as hard, including spam blocks. The same applies if the text cannot be
 * classified, unless the enhanced code or the ESP's category says that the address is invalid.
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

/** True if the reply gives the address as the reason, or if the ESP does and the reply gives none. */
function isAboutAddress(
  reply: { code: number | null; enhanced: string | null; text: string },
  isNamed: boolean,
): boolean {
  const { class: reason } = classifyReply({ ...reply, code: reply.code ?? 550 })
  return isBadAddress(reason) || (reason === 'other' && (isNamed || !hasWords(reply.text)))
}

/** Ignores addresses and the protocol name. */
function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\S+@\S+|\b(?:e?smtp|x-\w+);/gi, ' '))
}

/** Invalid and future times become the current time. */
function timeOf(value: unknown): Date {
  const milliseconds = typeof value === 'number' ? value * 1000 : Date.parse(asText(value))
  return Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < Date.now()
    ? new Date(milliseconds)
    : new Date()
}
