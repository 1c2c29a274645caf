import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '../mx/public-address.ts'
import { publicLookup } from '../relay-rule.ts'

export interface HttpRequest {
  method: 'POST' | 'GET'
  /** Including the query. */
  path: string
  headers: Record<string, string>
  body: Buffer
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Thrown without a response. `isSent`: the request may have arrived. */
export class HttpLost extends Error {
  override name = 'HttpLost'
  readonly isSent: boolean

  constructor(text: string, isSent: boolean) {
    super(text)
    this.isSent = isSent
  }
}

export interface HttpCaller {
  /** Makes one call; redirects are not followed. @throws HttpLost */
  call(request: HttpRequest): Promise<HttpAnswer>
  close(): void
}

export interface HttpOptions {
  connections: number
  allowPrivate: boolean
  /** Milliseconds for one call, including the response. */
  timeout?: number
}

const MOST_BYTES = 4_000_000
/** Shorter than the idle timeout of servers, to avoid connections that are being closed. */
const IDLE = 3_000

/**
 * Calls one server over keep-alive connections: public addresses only, unless others are allowed; certificates are
 * verified. Reports whether a request without response was sent.
 */
export function createHttpCaller(base: string, options: HttpOptions): HttpCaller {
  const { connections, allowPrivate, timeout = 60_000 } = options
  const url = new URL(base)
  const isTls = url.protocol === 'https:'
  const agent = new (isTls ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: connections,
    timeout: IDLE,
  })
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')

  return {
    call: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host))
          return reject(new HttpLost(`${host} is not a public address.`, false))
        if (!Object.values(headers).every(isSendable))
          return reject(new HttpLost('The key of the login has a character that no key has.', false))
        let isSent = false
        const lost = (text: string) => reject(new HttpLost(text, isSent))
        const request = (isTls ? httpsRequest : httpRequest)(
          {
            agent,
            host,
            port: url.port === '' ? undefined : url.port,
            method,
            path: `${url.pathname.replace(/\/$/, '')}${path}`,
            headers: { ...headers, 'content-length': String(body.length), 'user-agent': 'EMMA/1' },
            signal: AbortSignal.timeout(timeout),
            ...(allowPrivate ? {} : { lookup: publicLookup }),
          },
          response => {
            const chunks: Buffer[] = []
            let size = 0
            response.on('data', (chunk: Buffer) => {
              size += chunk.length
              if (size > MOST_BYTES) request.destroy(new Error('the answer is too long'))
              chunks.push(chunk)
            })
            response.on('error', error => lost(error.message))
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(chunks).toString('utf8'),
              }),
            )
          },
        )
        request.on('socket', socket => {
          if (request.reusedSocket || !socket.connecting) isSent = true
          else socket.once(isTls ? 'secureConnect' : 'connect', () => (isSent = true))
        })
        request.on('error', error => lost(`${host}: ${error.message}`))
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** Latin-1 without control characters (RFC 9110, 5.5): Node throws for anything else. */
function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
