import type { Call, Result, Target } from '@emma/core/webhooks/deliver-queue.ts'
import { signWebhook } from '@emma/core/webhooks/webhook-secret.ts'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher } from 'undici'
import { type AddressRule, bareHost, isCallable, resolveHost } from './webhook-address.ts'

export interface Sender {
  /** Sends one call. Never throws: failures are part of the result. */
  send(target: Target, call: Call): Promise<Result>
  close(): Promise<void>
}

export interface SenderOptions extends AddressRule {
  /** Milliseconds per call, including the response. */
  timeout?: number
}

/** Stored characters of a response, and bytes read of it. */
const keptCharacters = 1_000
const mostBytes = 16_384

/**
 * Creates the sender of webhook calls: signed, no redirects, no private addresses. It connects to the address that
 * was checked, whatever the name resolved to before (DNS rebinding).
 */
export function createSender(options: SenderOptions): Sender {
  const { timeout = 10_000, resolve = resolveHost } = options
  const agent = new Agent({
    connections: 8,
    keepAliveTimeout: 10_000,
    connect: {
      timeout,
      lookup(host, { all }, done) {
        resolve(host).then(
          addresses => {
            const [first] = addresses
            if (!first || !addresses.every(({ address }) => isCallable(address, options)))
              return done(new RefusedAddress(), '', 0)
            if (all) done(null, addresses)
            else done(null, first.address, first.family)
          },
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), '', 0),
        )
      },
    },
  })

  async function post(target: Target, call: Call): Promise<Omit<Result, 'call' | 'attempt'> & Answer> {
    const url = new URL(target.url)
    // An IP address is connected to without the lookup function.
    const host = bareHost(url)
    if (ipaddr.isValid(host) && !isCallable(host, options)) throw new RefusedAddress()
    const body = JSON.stringify({
      type: 'events',
      timestamp: call.createdAt,
      client_id: target.clientId,
      data: call.events,
    })
    const seconds = Math.floor(Date.now() / 1000)
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'EMMA-Webhooks/1',
        'webhook-id': call.uid,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signWebhook(target.secrets, call.uid, seconds, body),
      },
      body,
      signal: AbortSignal.timeout(timeout),
    })
    const { statusCode: status, headers } = answer
    return {
      ok: status >= 200 && status < 300,
      status,
      answer: await readStart(answer),
      retryAfter: secondsOf(headers['retry-after']),
    }
  }

  return {
    async send(target, call) {
      const started = Date.now()
      const { ok, retryAfter, ...answer } = await post(target, call).catch((error: unknown) => ({
        ok: false,
        retryAfter: null,
        status: null,
        answer: null,
        error: faultOf(error),
      }))
      const attempt = {
        error: null,
        ...answer,
        started_at: new Date(started).toISOString(),
        duration_ms: Date.now() - started,
      }
      return { call, ok, retryAfter, attempt }
    },
    close: () => agent.destroy(),
  }
}

interface Answer {
  status: number
  answer: string | null
}

class RefusedAddress extends Error {
  override name = 'RefusedAddress'
}

/** Reads the start of the response. A call with a response counts even if its body is aborted. */
async function readStart({ body }: Dispatcher.ResponseData): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size >= mostBytes) break
    }
  } catch (error) {
    if (chunks.length === 0) throw error
  }
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\u0000', '').toWellFormed()
  return text === '' ? null : text.slice(0, keptCharacters)
}

function secondsOf(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return null
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}

/** Failure without response, as a code for which the console has a text. */
function faultOf(error: unknown): string {
  if (error instanceof RefusedAddress) return 'refused_address'
  if (!(error instanceof Error)) return 'broken'
  if (error.name === 'TimeoutError' || error.name === 'ConnectTimeoutError') return 'timeout'
  const code = 'code' in error ? String(error.code) : ''
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'unresolved'
  if (code === 'ECONNREFUSED') return 'refused'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'tls'
  return 'broken'
}
