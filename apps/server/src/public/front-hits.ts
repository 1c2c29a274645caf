import type { KeyObject } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Token } from '@emma/mail/token.ts'
import { createTokenReader, tokenLength } from '@emma/mail/token-reader.ts'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import { addressBehind, isForwardedBy } from './address-behind.ts'
import type { CampaignPages } from './campaign-pages.ts'
import type { Hit } from './hit.ts'
import type { HitJournal } from './hit-journal.ts'
import { CLICK_HEADERS, OPEN_HEADERS, PIXEL } from './hit-answers.ts'
import { type HitRequest, readHitRequest } from './read-hit-request.ts'

export interface FrontOptions {
  server: Server
  tokenKey: KeyObject
  journal: HitJournal
  campaigns: CampaignPages
  isTrustedProxy: IsTrustedProxy
}

export interface Front {
  /** Answers since the start. */
  counts: Readonly<Record<'open' | 'click', number>>
  /** Ends the connections that wait for a request, and the others after their answer. */
  close(): void
}

interface Connection {
  socket: Socket
  /** Whose it is: asking the socket costs. */
  address: string
  /** A link is looked up; nothing is read meanwhile. */
  isWaiting: boolean
  /** The beginning of a request whose end has not come yet. */
  begun: { bytes: Buffer; at: number } | null
  handOver(rest: Buffer): void
}

const PATH = 'GET /t/'

/** Bytes, and milliseconds, that the beginning of a request may wait for its end. */
const MOST_BEGUN = 8_192
const SLOW = 10_000

/** The empty line behind a request's head. */
const END = '\r\n\r\n'

/** Milliseconds a connection may do nothing. */
const IDLE = 72_000

/**
 * Puts a fast way in front of an HTTP server: opens and clicks, of which there are thousands for each other request, are
 * answered from the connection's bytes. With the first request that is anything else (`HEAD`, a token that is none, an
 * unsubscription) its connection goes over to the server, as if that had had it from the beginning.
 */
export function frontHits({ server, tokenKey, journal, campaigns, isTrustedProxy }: FrontOptions): Front {
  const readToken = createTokenReader(tokenKey)
  const handlers = server.listeners('connection')
  const connections = new Set<Connection>()
  const counts = { open: 0, click: 0 }
  const dated = createDated()
  let isClosing = false

  server.removeAllListeners('connection')
  server.on('connection', accept)
  return {
    counts,
    close() {
      isClosing = true
      for (const { socket, isWaiting } of connections) if (!isWaiting) socket.end()
    },
  }

  function accept(socket: Socket): void {
    const connection: Connection = {
      socket,
      address: socket.remoteAddress ?? '',
      isWaiting: false,
      begun: null,
      handOver,
    }
    const own = {
      data: (chunk: Buffer) => take(connection, chunk),
      end: () => void (connection.isWaiting || socket.end()),
      drain: () => void (connection.isWaiting || socket.resume()),
      timeout: () => void socket.destroy(),
      error: () => {},
      close: () => void connections.delete(connection),
    }
    connections.add(connection)
    for (const [event, listener] of Object.entries(own)) socket.on(event, listener)
    socket.setNoDelay()
    socket.setTimeout(IDLE)

    /** The server gets the socket as it was, and the bytes as if they came now. */
    function handOver(rest: Buffer): void {
      connections.delete(connection)
      socket.setTimeout(0)
      for (const [event, listener] of Object.entries(own)) socket.off(event, listener)
      socket.pause()
      socket.unshift(rest)
      for (const handler of handlers) Reflect.apply(handler, server, [socket])
      socket.resume()
    }
  }

  /** The beginning of a request waits for its end, a little; then the server has it, which has clocks for slow askers. */
  function take(connection: Connection, chunk: Buffer): void {
    const { begun } = connection
    if (!begun) return answer(connection, chunk, Date.now())
    connection.begun = null
    answer(connection, Buffer.concat([begun.bytes, chunk]), begun.at)
  }

  /** @param since when the first of the bytes came */
  function answer(connection: Connection, chunk: Buffer, since: number): void {
    const text = chunk.toString('latin1')
    const answers: Buffer[] = []
    let at = 0
    while (at < chunk.length) {
      const request = readHitRequest(chunk, text, at)
      if (!request) break
      const hit = hitOf(connection, request, text, isTrustedProxy)
      if (request.type === 'open') {
        // Anybody gets the picture. Whose it is, is asked when the hit is stored, so long as that keeps up: made-up ones
        // must not fill the disk.
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
    }
    send(connection, answers)
    if (at < chunk.length) leave(connection, chunk.subarray(at), at === 0 ? since : Date.now())
    else if (isClosing) connection.socket.end()
  }

  function leave(connection: Connection, bytes: Buffer, at: number): void {
    const isSlow = bytes.length > MOST_BEGUN || Date.now() - at > SLOW
    if (isSlow || isClosing || bytes.includes(END) || !isHitBegun(bytes)) connection.handOver(bytes)
    else connection.begun = { bytes, at }
  }

  /** A link that is made for the person, or of a campaign not seen before. */
  async function lookUp(
    connection: Connection,
    { hit, token, rest, next }: { hit: Hit; token: Token; rest: Buffer; next: Buffer },
  ): Promise<void> {
    const { socket } = connection
    connection.isWaiting = true
    socket.pause()
    // The server says what has gone wrong, and asks before it leads to the host of a member's field.
    const target = await campaigns.linkTarget(token, hit.linkIndex ?? 0).catch(() => null)
    connection.isWaiting = false
    if (socket.destroyed) return
    if (target === null || target.askAs !== null) return connection.handOver(rest)
    record(hit)
    send(connection, [dated.redirect(target.url, Date.now())])
    if (next.length > 0) answer(connection, next, Date.now())
    else if (isClosing) socket.end()
    if (!connection.isWaiting && !socket.writableNeedDrain) socket.resume()
  }

  function record(hit: Hit): void {
    if (hit.type !== 'view') counts[hit.type]++
    journal.add(hit)
  }
}

function isHitBegun(bytes: Buffer): boolean {
  return PATH.startsWith(bytes.toString('latin1', 0, PATH.length))
}

function hitOf({ address }: Connection, request: HitRequest, text: string, isTrusted: IsTrustedProxy): Hit {
  const { type, tokenAt, linkIndex, userAgent, forwardedFor, isAhead } = request
  return {
    type,
    token: text.slice(tokenAt, tokenAt + tokenLength),
    at: Date.now(),
    linkIndex: type === 'click' ? linkIndex : null,
    ip: addressBehind(address, forwardedFor, isTrusted),
    userAgent,
    method: 'GET',
    isAhead,
    isForwarded: isForwardedBy(address, forwardedFor, isTrusted),
  }
}

/** Reads no more from who does not take the answers. */
function send({ socket }: Connection, answers: readonly Buffer[]): void {
  const [first] = answers
  if (first && !socket.write(answers.length === 1 ? first : Buffer.concat(answers))) socket.pause()
}

/** The answers of a second: they differ in nothing but that, and in where a link leads. */
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
