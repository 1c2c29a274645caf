import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv4 } from 'node:net'
import { type Agent, agentAddress } from './agents.ts'

/**
 * Returns the origin to request for a URL in a message (`http://127.0.0.1:8080`), or null if it must not be visited.
 * The request keeps the host of the URL in its Host field.
 */
export type ResolveOrigin = (url: URL) => string | null | Promise<string | null>

/** Visits this machine only, unless the operator configured a tracking origin. */
export const loopbackOnly: ResolveOrigin = url => (isLoopback(url.hostname) ? url.origin : null)

function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}

/** Result of a visit. */
export interface Visit {
  /** HTTP status; 0 without a response. */
  status: number
  /** Reason of a status 0, or target of a redirect. */
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
 * Requests a URL of a message as the agent would. Redirects are not followed, as their targets are outside the
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
    // A local tracking server with TLS has a self-signed certificate.
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
