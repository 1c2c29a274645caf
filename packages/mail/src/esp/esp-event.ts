/** What a sending service tells of one mail, in the house's words. */
export interface EspEvent {
  /** The same when the service tells it again. */
  id: string
  type: 'delivered' | 'deferred' | 'bounce' | 'complaint' | 'unsubscribe' | 'open' | 'click' | 'auto_reply'
  /** What the mail was handed over with: the local part of its return path; '' where the service does not say. */
  reference: string
  recipient: string
  at: Date
  /** The address is bad for good. */
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
  Partial<Omit<EspEvent, 'at' | 'code' | 'enhanced'>> & { at: unknown }

/**
 * Fills in what a service did not say. `at`: seconds since 1970, or a date as text. Codes are read from the text, where
 * services quote the server that refused.
 */
export function espEvent({ id, type, at, ...said }: Said): EspEvent {
  const text = (said.text ?? '').slice(0, 1000)
  const code = /(?:^|\D)([245]\d\d)(?=[ -])/.exec(text)?.[1]
  return {
    reference: '',
    recipient: '',
    hard: false,
    ip: null,
    userAgent: null,
    isAppleProxy: false,
    ...said,
    id: id.slice(0, 300),
    type,
    at: timeOf(at),
    text,
    code: code === undefined ? null : Number(code),
    enhanced: /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(text)?.[1] ?? null,
  }
}

/** A time nobody can read, or one to come, is now. */
function timeOf(value: unknown): Date {
  const milliseconds = typeof value === 'number' ? value * 1000 : Date.parse(asText(value))
  return Number.isFinite(milliseconds) && milliseconds > 0 && milliseconds < Date.now()
    ? new Date(milliseconds)
    : new Date()
}
