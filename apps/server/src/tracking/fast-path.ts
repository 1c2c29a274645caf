import type { KeyObject } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Token } from '@emma/mail/token.ts'
import { createTokenReader, tokenLengthAt } from '@emma/mail/token-reader.ts'
import { type Limits, TRACKING_LIMITS } from '../network/limits.ts'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import { addressBehind, isForwardedBy } from './client-address.ts'
import type { CampaignPages } from './campaign-pages.ts'
import type { TrackingEvent } from './tracking-event.ts'
import type { EventSpool } from './event-spool.ts'
import { CLICK_HEADERS, OPEN_HEADERS, PIXEL } from './event-responses.ts'
import { type EventRequest, readEventRequest } from './read-event-request.ts'

export interface FrontOptions {
  server: Server
  tokenKey: KeyObject
  journal: EventSpool
  campaigns: CampaignPages
  isTrustedProxy: IsTrustedProxy
  limits?: Limits<typeof TRACKING_LIMITS>
}

export interface Front {
  /** Responses since the start. */
  counts: Readonly<Record<'open' | 'click', number>>
  /** Closes idle connections, and the others after their response. */
  close(): void
}

interface Connection {
  socket: Socket
  /** Cached, because reading it from the socket is slow. */
  address: string
  /** A link is being looked up; nothing is read meanwhile. */
  isWaiting: boolean
  /** The peer does not read its responses; nothing more is read from it. */
  isStalled: boolean
  /** An incomplete request, or requests behind unread responses. */
  begun: Buffer | null
  /** Time by which the peer must have sent the expected header, or read its responses; 0 between requests. */
  deadline: number
  handOver(rest: Buffer): void
}

const PATH = 'GET /t/'

/** Maximum bytes of an incomplete request. */
const MOST_BEGUN = 8_192

/** Bytes of responses that are written at once. */
const FLUSH_BYTES = 16 * 1_024

/** Empty line after a request's header. */
const END = '\r\n\r\n'

/** Idle milliseconds between two requests. */
const IDLE = 72_000

/** Milliseconds between two checks of all connections' deadlines. */
const DEADLINE_CHECK_MS = 500

/** Milliseconds for open connections once the role stops. */
const CLOSE_TIMEOUT_MS = 2_000

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/**
 * Puts a fast path in front of an HTTP server: opens and clicks, which are thousands for each other request, are
 * answered directly from the connection's bytes. The first other request (`HEAD`, an invalid token, an unsubscribe)
 * hands its connection over to the server, as if it had had it from the beginning.
 */
export function attachFastPath({
  server,
  tokenKey,
  journal,
  campaigns,
  isTrustedProxy,
  limits = TRACKING_LIMITS,
}: FrontOptions): Front {
  const readToken = createTokenReader(tokenKey)
  const handlers = server.listeners('connection')
  const connections = new Set<Connection>()
  const counts = { open: 0, click: 0 }
  const dated = createDated()
  let isClosing = false
  let stalledCount = 0
  const checking = setInterval(checkDeadlines, DEADLINE_CHECK_MS).unref()

  server.removeAllListeners('connection')
  server.on('connection', accept)
  server.once('close', () => clearInterval(checking))
  return {
    counts,
    close() {
      isClosing = true
      for (const connection of connections) {
        connection.deadline = Date.now() + CLOSE_TIMEOUT_MS
        if (!connection.isWaiting && !connection.isStalled) connection.socket.end()
      }
    },
  }

  function accept(socket: Socket): void {
    const connection: Connection = {
      socket,
      address: socket.remoteAddress ?? '',
      isWaiting: false,
      isStalled: false,
      begun: null,
      deadline: Date.now() + limits.headersTimeoutMs,
      handOver,
    }
    const own = {
      data: (chunk: Buffer) => take(connection, chunk),
      end: () => void (connection.isWaiting || socket.end()),
      drain: () => goOn(connection),
      timeout: () => void socket.destroy(),
      error: () => {},
      close: () => forget(connection),
    }
    connections.add(connection)
    for (const [event, listener] of Object.entries(own)) socket.on(event, listener)
    socket.setNoDelay()
    socket.setTimeout(IDLE)

    /** The server gets the socket in its original state, with the bytes as if they arrived now. */
    function handOver(rest: Buffer): void {
      forget(connection)
      socket.setTimeout(0)
      for (const [event, listener] of Object.entries(own)) socket.off(event, listener)
      socket.pause()
      socket.unshift(rest)
      for (const handler of handlers) Reflect.apply(handler, server, [socket])
      socket.resume()
    }
  }

  function forget(connection: Connection): void {
    connections.delete(connection)
    if (connection.isStalled) stalledCount--
    connection.isStalled = false
  }

  function take(connection: Connection, chunk: Buffer): void {
    const { begun } = connection
    connection.begun = null
    answer(connection, begun === null ? chunk : Buffer.concat([begun, chunk]), begun !== null)
  }

  /** @param isContinued the bytes begin with some that waited already, whose deadline stays */
  function answer(connection: Connection, chunk: Buffer, isContinued = false): void {
    const text = chunk.toString('latin1')
    let answers: Buffer[] = []
    let size = 0
    let at = 0
    while (at < chunk.length) {
      const request = readEventRequest(chunk, text, at)
      if (!request) break
      const hit = hitOf(connection, request, text, isTrustedProxy)
      if (request.type === 'open') {
        // Everybody gets the image. Tokens are verified when the event is stored, unless storing is behind: forged
        // ones must not fill the disk.
        if (!journal.isBehind() || readToken(text, request.tokenAt)) record(hit)
        answers.push(dated.pixel(hit.at))
      } else {
        const token = readToken(text, request.tokenAt)
        if (!token) break
        const location = campaigns.knownTarget(token, request.linkIndex)
        if (location === undefined) {
          send(connection, answers)
          void lookUp(connection, { hit, token, rest: chunk.subarray(at), next: chunk.subarray(request.end) })
          return
        }
        record(hit)
        answers.push(dated.redirect(location, hit.at))
      }
      at = request.end
      size += answers.at(-1)?.length ?? 0
      if (size < FLUSH_BYTES) continue
      send(connection, answers)
      answers = []
      size = 0
      if (connection.isStalled || connection.socket.destroyed) break
    }
    send(connection, answers)
    if (connection.socket.destroyed) return
    if (connection.isStalled) keep(connection, chunk.subarray(at))
    else if (at < chunk.length) leave(connection, chunk.subarray(at), isContinued && at === 0)
    else if (isClosing) connection.socket.end()
    else connection.deadline = 0
  }

  /** Keeps an incomplete request until its end; the full server has timeouts of its own. */
  function leave(connection: Connection, bytes: Buffer, isContinued: boolean): void {
    if (bytes.length > MOST_BEGUN || isClosing || bytes.includes(END) || !isHitBegun(bytes))
      return connection.handOver(bytes)
    connection.begun = bytes
    if (!isContinued || connection.deadline === 0) connection.deadline = Date.now() + limits.headersTimeoutMs
  }

  /** Keeps requests behind unread responses. */
  function keep(connection: Connection, bytes: Buffer): void {
    connection.begun = bytes.length > 0 ? bytes : null
  }

  /** Stops reading from a peer that does not read its responses. */
  function send(connection: Connection, answers: readonly Buffer[]): void {
    const { socket } = connection
    const [first] = answers
    if (!first || socket.write(answers.length === 1 ? first : Buffer.concat(answers)) || socket.destroyed)
      return
    if (connection.isStalled) return
    if (stalledCount >= limits.stalledConnections) return void socket.destroy()
    stalledCount++
    connection.isStalled = true
    connection.deadline = Date.now() + limits.answerTimeoutMs
    socket.pause()
  }

  /** The peer has read its responses. */
  function goOn(connection: Connection): void {
    if (!connection.isStalled) return
    connection.isStalled = false
    stalledCount--
    connection.deadline = 0
    if (connection.isWaiting) return
    answerRest(connection)
  }

  function answerRest(connection: Connection): void {
    const { socket, begun } = connection
    connection.begun = null
    if (begun) answer(connection, begun)
    else if (isClosing) socket.end()
    if (connections.has(connection) && !connection.isWaiting && !connection.isStalled) socket.resume()
  }

  function checkDeadlines(): void {
    const now = Date.now()
    for (const connection of connections) {
      const { socket, isWaiting, isStalled, deadline } = connection
      if (deadline === 0 || deadline > now || isWaiting) continue
      if (isStalled || isClosing) {
        socket.destroy()
        continue
      }
      connection.deadline = 0
      socket.end(TIMED_OUT, () => socket.destroy())
    }
  }

  /** Looks up a personalized link, or one of an uncached campaign. */
  async function lookUp(
    connection: Connection,
    { hit, token, rest, next }: { hit: TrackingEvent; token: Token; rest: Buffer; next: Buffer },
  ): Promise<void> {
    const { socket } = connection
    connection.isWaiting = true
    connection.begun = next
    socket.pause()
    // The full server reports errors, and asks before redirecting to a host from a member's field.
    const target = await campaigns.linkTarget(token, hit.linkIndex ?? 0).catch(() => null)
    connection.isWaiting = false
    if (socket.destroyed) return
    if (target === null || target.askAs !== null) return connection.handOver(rest)
    record(hit)
    send(connection, [dated.redirect(target.url, Date.now())])
    if (!connection.isStalled) answerRest(connection)
  }

  function record(hit: TrackingEvent): void {
    if (hit.type !== 'view') counts[hit.type]++
    journal.add(hit)
  }
}

function isHitBegun(bytes: Buffer): boolean {
  return PATH.startsWith(bytes.toString('latin1', 0, PATH.length))
}

function hitOf(
  { address }: Connection,
  request: EventRequest,
  text: string,
  isTrusted: IsTrustedProxy,
): TrackingEvent {
  const { type, tokenAt, linkIndex, userAgent, forwardedFor, isAhead } = request
  return {
    type,
    token: text.slice(tokenAt, tokenAt + tokenLengthAt(text, tokenAt)),
    at: Date.now(),
    linkIndex: type === 'click' ? linkIndex : null,
    ip: addressBehind(address, forwardedFor, isTrusted),
    userAgent,
    method: 'GET',
    isAhead,
    isForwarded: isForwardedBy(address, forwardedFor, isTrusted),
  }
}

/** Responses cached per second: they differ only in the date, and in a link's target. */
function createDated(): { pixel(now: number): Buffer; redirect(location: string, now: number): Buffer } {
  const redirects = new Map<string, Buffer>()
  let second = 0
  let date = ''
  let pixel = PIXEL
  return {
    pixel(now) {
      refresh(now)
      return pixel
    },
    redirect(location, now) {
      refresh(now)
      const known = redirects.get(location)
      if (known) return known
      const made = Buffer.from(`${FOUND}location: ${location}\r\n${date}\r\n`, 'latin1')
      if (redirects.size < MOST_REDIRECTS) redirects.set(location, made)
      return made
    },
  }

  function refresh(now: number): void {
    if (now >= second && now - second < 1_000) return
    second = now - (now % 1_000)
    date = `date: ${new Date(second).toUTCString()}\r\n`
    pixel = Buffer.concat([Buffer.from(`${OK}${date}\r\n`, 'latin1'), PIXEL])
    redirects.clear()
  }
}

const MOST_REDIRECTS = 1_000

const OK = [
  'HTTP/1.1 200 OK',
  'content-type: image/gif',
  `content-length: ${PIXEL.length}`,
  ...Object.entries(OPEN_HEADERS).map(([name, value]) => `${name}: ${value}`),
  '',
].join('\r\n')

const FOUND = [
  'HTTP/1.1 302 Found',
  'content-length: 0',
  ...Object.entries(CLICK_HEADERS).map(([name, value]) => `${name}: ${value}`),
  '',
].join('\r\n')
