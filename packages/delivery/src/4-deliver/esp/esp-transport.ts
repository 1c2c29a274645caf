import { needsSmtpUtf8 } from '@emma/mail/address.ts'
import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import type { Outcome } from '../../model/outcome.ts'
import { brevo } from './brevo.ts'
import { type EspApi, refused, unknown } from './esp-api.ts'
import { type ApiEsp, type ApiLogin, baseUrlOf } from './esp-login.ts'
import type { EspMail } from './esp-mail.ts'
import { createHttpCaller, type HttpAnswer, HttpLost } from './http-call.ts'
import { mailgun } from './mailgun.ts'
import { mailjet } from './mailjet.ts'
import { postmark } from './postmark.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'
import { sparkpost } from './sparkpost.ts'
import type { Transport } from '../transport-interface.ts'

const APIS: Record<ApiEsp, EspApi> = { ses, mailgun, sendgrid, postmark, sparkpost, brevo, mailjet }

/** Messages in flight: they wait in memory, and a crash may leave them unknown. */
const MOST_AT_ONCE = 500

/** Bytes of the attachments of one call. */
const BATCH_ATTACHED_BYTES = 20_000_000

/** Milliseconds a call waits for more messages. */
const GATHER = 20

/** Milliseconds without calls after "too many requests" without Retry-After. */
const USUAL_REST = 5_000
const LONGEST_REST = 3_600_000

export interface EspOptions {
  connections: number
  /** Allows private addresses, for development and tests. */
  allowPrivate: boolean
  now?: (() => number) | undefined
}

interface Waiting {
  mail: EspMail
  settle: (outcome: Outcome) => void
}

/**
 * Sends over the API of an ESP, several messages per call if supported. Nothing is sent twice: a call without
 * response leaves its messages `unknown`, unless it was certainly not sent.
 */
export function createEspTransport(login: ApiLogin, options: EspOptions): Transport {
  const { connections, allowPrivate, now = Date.now } = options
  const api = APIS[login.via]
  const http = createHttpCaller(baseUrlOf(login), { connections, allowPrivate })
  const capacity = Math.min(connections * api.batch, Math.max(connections, MOST_AT_ONCE))
  const waiting: Waiting[] = []
  const calls = new Set<Promise<void>>()
  const batches: Waiting[][] = []
  let open = 0
  let timer: NodeJS.Timeout | null = null
  let quietUntil = 0
  let quietReason = ''

  return {
    name: login.via,
    capacity,
    send(envelope, bytes) {
      const rest = quietUntil - now()
      if (rest > 0) return Promise.resolve({ kind: 'returned', text: quietReason, retryAfter: rest / 1000 })
      return new Promise(settle => {
        const one = { mail: toMail(envelope, bytes), settle }
        // An ESP that does not support addresses outside ASCII rejects the whole call: others must not be in it.
        if (needsSmtpUtf8(envelope.to)) return begin([one])
        waiting.push(one)
        if (api.batch === 1 || waiting.length >= api.batch) return flush()
        timer ??= setTimeout(flush, GATHER)
      })
    },
    async close() {
      flush()
      while (calls.size > 0) await Promise.all(calls)
      http.close()
    },
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    while (waiting.length > 0) begin(waiting.splice(0, batchLength(waiting, api.batch)))
  }

  function begin(batch: Waiting[]): void {
    batches.push(batch)
    beginCalls()
  }

  /** A call is written when a connection is free for it, since messages with attachments need memory. */
  function beginCalls(): void {
    while (open < connections) {
      const batch = batches.shift()
      if (!batch) return
      open++
      const call: Promise<void> = deliver(batch).finally(() => {
        calls.delete(call)
        open--
        beginCalls()
      })
      calls.add(call)
    }
  }

  async function deliver(batch: readonly Waiting[]): Promise<void> {
    const outcomes = await outcomesOf(batch.map(({ mail }) => mail))
    for (const [index, { settle }] of batch.entries()) settle(outcomes[index] ?? SILENT)
  }

  async function outcomesOf(mails: readonly EspMail[]): Promise<Outcome[]> {
    const all = (outcome: Outcome) => mails.map(() => outcome)
    try {
      const request = await api.toRequest(login, mails, new Date(now()))
      if (mails.length > 1 && request.body.length > (api.maxBytes ?? Infinity)) return inHalves(mails)
      const answer = await http.call(request)
      // A body that is too large was rejected entirely.
      if (mails.length > 1 && answer.status === 413) return inHalves(mails)
      if (asksForRest(answer)) return all(restAfter(answer))
      const single = api.read(answer, mails)
      if (single === null) return all(judge(answer))
      return single.length === mails.length ? single : all(SILENT)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      const hasNotLeft = error instanceof HttpLost && !error.isSent
      return all(hasNotLeft ? { kind: 'returned', text } : unknown(text))
    }
  }

  async function inHalves(mails: readonly EspMail[]): Promise<Outcome[]> {
    const half = Math.ceil(mails.length / 2)
    return [...(await outcomesOf(mails.slice(0, half))), ...(await outcomesOf(mails.slice(half)))]
  }

  /** A status that applies to the whole call. */
  function judge(answer: HttpAnswer): Outcome {
    const { status } = answer
    const { text, about } = api.explain(answer)
    const words = `${status} ${text}`.trim()
    // A gateway without response does not know the outcome either; an unreadable response proves nothing.
    if (status < 300 || status === 502 || status === 504) return unknown(words)
    if (status >= 500) return deferred(words)
    // Anything else, such as a redirect or a missing path, is about the login: no message was processed.
    return refused({ about: ABOUT_MAIL.has(status) ? about : 'login', text: words })
  }

  /** Too many requests (RFC 6585), or any rejection with Retry-After (RFC 9110, 10.2.3). */
  function asksForRest({ status, headers }: HttpAnswer): boolean {
    if (status === 429) return true
    const isRefusal = (status >= 400 && status < 500) || status === 503
    return isRefusal && retryAfter(String(headers['retry-after'] ?? ''), now()) !== null
  }

  function restAfter({ status, headers }: HttpAnswer): Outcome {
    const rest = Math.min(LONGEST_REST, retryAfter(String(headers['retry-after'] ?? ''), now()) ?? USUAL_REST)
    quietUntil = now() + rest
    quietReason = `The service takes no more mail for ${Math.ceil(rest / 1000)} s (status ${status}).`
    return { kind: 'returned', text: quietReason, retryAfter: rest / 1000 }
  }
}

/** Messages of the next call: as many as the ESP takes, but not many with attachments. */
function batchLength(waiting: readonly Waiting[], most: number): number {
  let bytes = 0
  const first = waiting.findIndex(({ mail }) => {
    const [, , ...attachments] = mail.bytes
    for (const part of attachments) bytes += part.length
    return bytes > BATCH_ATTACHED_BYTES
  })
  return first === -1 ? most : Math.max(1, Math.min(first, most))
}

const SILENT = unknown('The service did not say what became of this mail.')

/** Bad request, too large, unprocessable: about the content of the call. */
const ABOUT_MAIL = new Set([400, 413, 422])

function deferred(text: string): Outcome {
  return { kind: 'deferred', reply: { code: null, enhanced: null, text, class: 'system', hard: false } }
}

/** Milliseconds, from seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(text: string, now: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

function toMail(envelope: SmtpEnvelope, bytes: readonly Buffer[]): EspMail {
  const [reference = ''] = envelope.from.split('@')
  return { envelope, reference, bytes }
}
