import type { Outcome } from '../../model/outcome.ts'
import type { ApiLogin } from './esp-login.ts'
import type { EspMail } from './esp-mail.ts'
import type { HttpAnswer, HttpRequest } from './http-call.ts'

/** API of one ESP: its requests, and the meaning of its responses. */
export interface EspApi {
  /** Maximum number of messages per request. */
  batch: number
  /** Maximum bytes of a request body; a larger batch is split. */
  maxBytes?: number
  toRequest(login: ApiLogin, mails: readonly EspMail[], now: Date): HttpRequest | Promise<HttpRequest>
  /** Outcomes of the messages in order; null if the response does not list them, and its status applies to all. */
  read(answer: HttpAnswer, mails: readonly EspMail[]): Outcome[] | null
  /** Cause of a rejected call. */
  explain(answer: HttpAnswer): Refusal
}

/**
 * `login`: the account; the message is sent over another login, or later. `recipient`: a hard bounce. `mail`: the
 * sender or the message, for any recipient. `policy`: the ESP does not send to this recipient for its own reasons.
 */
export interface Refusal {
  about: 'login' | 'recipient' | 'mail' | 'policy'
  text: string
}

export function accepted(text: string): Outcome {
  return { kind: 'sent', reply: { code: 250, enhanced: null, text, class: 'other', hard: false } }
}

export function refused({ about, text }: Refusal): Outcome {
  if (about === 'login') return { kind: 'returned', text }
  const isRecipient = about === 'recipient'
  const reason = REASONS[about]
  return {
    kind: 'rejected',
    reply: { code: null, enhanced: isRecipient ? '5.1.1' : null, text, class: reason, hard: isRecipient },
    ...(about === 'mail' ? { isSenderFault: true } : {}),
  }
}

const REASONS = { recipient: 'bad-mailbox', mail: 'content', policy: 'policy' } as const

/** Outcome if it is not known whether the ESP has the message. */
export function unknown(text: string): Outcome {
  return { kind: 'unknown', reply: { code: null, enhanced: null, text, class: 'connection', hard: false } }
}

/** Parses untrusted JSON: an object, or an empty one. */
export function readJson(text: string): Json {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

export type Json = Readonly<Record<string, unknown>>

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function asList(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Builds a request with a JSON body. */
export function jsonRequest(path: string, headers: Record<string, string>, body: unknown): HttpRequest {
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}

export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
