import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv4 } from 'node:net'
import { type Agent, agentAddress } from './agents.ts'

/**
 * Where a request for an address in a mail may really go: an origin (`http://127.0.0.1:8080`), or null when it must
 * not be visited. The request keeps the host of the mail's address in its Host field.
 */
export type ResolveOrigin = (url: URL) => string | null | Promise<string | null>

/** Visits go to this machine alone, unless the operator names a tracking origin. */
export const loopbackOnly: ResolveOrigin = url => (isLoopback(url.hostname) ? url.origin : null)

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}

/** What came of a visit: a status, or why there is none. */
export interface Visit {
  /** HTTP status; 0 when the request was not answered or not made. */
  status: number
  /** Words for a status of 0, or where a redirect led. */
  detail: string
}

export interface VisitOptions {
  method: 'GET' | 'HEAD' | 'POST'
  agent: Agent
  mailbox: string
  /** Form fields of a POST. */
  form?: string
  resolveOrigin: ResolveOrigin
}

/**
 * Requests an address out of a mail as the agent would. Redirects are not followed: where they lead is outside the
 * testbed. Never rejects.
 */
export async function visit(address: string, options: VisitOptions): Promise<Visit> {
  if (!URL.canParse(address)) return { status: 0, detail: 'not an address' }
  const url = new URL(address)
  const origin = await options.resolveOrigin(url)
  if (origin === null) return { status: 0, detail: `not visited: ${url.host} is outside the testbed` }
  const target = new URL(url.pathname + url.search, origin)
  if (target.origin !== new URL(origin).origin)
    return { status: 0, detail: 'not an address within the origin' }
  return send(target, url.host, options)
}

function send(target: URL, host: string, options: VisitOptions): Promise<Visit> {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest
  const { promise, resolve } = Promise.withResolvers<Visit>()
  const outgoing = request(target, {
    method: options.method,
    timeout: TIMEOUT,
    // A local tracking server with TLS has a certificate that nobody signed.
    rejectUnauthorized: false,
    headers: {
      host,
      'user-agent': options.agent.userAgent,
      accept: options.method === 'POST' ? '*/*' : 'image/avif,image/webp,text/html;q=0.9,*/*;q=0.8',
      'x-forwarded-for': agentAddress(options.agent, options.mailbox),
      ...(options.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })
  outgoing.on('response', response => {
    resolve({ status: response.statusCode ?? 0, detail: response.headers.location?.slice(0, 500) ?? '' })
    let read = 0
    response.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > MAX_BODY) response.destroy()
    })
    response.on('error', () => {})
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
  outgoing.on('error', error => resolve({ status: 0, detail: error.message.slice(0, 500) }))
  outgoing.end(options.form)
  return promise
}

const TIMEOUT = 10_000
const MAX_BODY = 1024 * 1024
