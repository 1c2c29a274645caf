import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Logger } from '../logger.ts'
import { CollectError } from './collect-bytes.ts'
import { limitConnections } from './limit-connections.ts'
import type { ConnectionLimits } from './limits.ts'
import { PeerClock } from './peer-clock.ts'
import type { IsTrustedProxy } from './trusted-proxies.ts'

/** Limits that every SMTP server has. */
interface SmtpLimits {
  connections: ConnectionLimits
  commandBytes: number
  commands: number
  mailBytes: number
  recipients: number
  idleTimeoutMs: number
  mailTimeoutMs: number
}

interface Peer<Own> {
  clock: PeerClock
  /** Since the last message. */
  commands: number
  own: Own
}

interface BoundedSmtpOptions<Own> {
  host: string
  port: number
  limits: SmtpLimits
  /** Trusted servers that relay mail of many senders. */
  isTrustedProxy: IsTrustedProxy
  logger: Logger
  /** What a new connection has used of further limits. */
  makeOwn: () => Own
  options: (peers: SmtpPeers<Own>) => Omit<SMTPServerOptions, 'onConnect' | 'onClose' | 'logger'>
}

export interface BoundedSmtp {
  port: number
  stop(): Promise<void>
}

/** Connections of a server. */
export class SmtpPeers<Own> {
  readonly #peers = new Map<string, Peer<Own>>()
  #server: SMTPServer | undefined

  serve(server: SMTPServer): void {
    this.#server = server
  }

  add(id: string, clock: PeerClock, own: Own): void {
    this.#peers.set(id, { clock, commands: 0, own })
    clock.start()
  }

  delete(id: string): void {
    this.#peers.get(id)?.clock.stop()
    this.#peers.delete(id)
  }

  ownOf(id: string): Own | undefined {
    return this.#peers.get(id)?.own
  }

  /** Runs work of this server, which does not count as time of the peer. */
  async pause<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#peers.get(id)?.clock.stop()
    try {
      return await work()
    } finally {
      this.#peers.get(id)?.clock.start()
    }
  }

  /** A message is over: the next one has the full time and number of commands. */
  reset(id: string): void {
    const peer = this.#peers.get(id)
    if (!peer) return
    peer.clock.reset()
    peer.commands = 0
  }

  countCommand(id: string, most: number): void {
    const peer = this.#peers.get(id)
    if (peer && ++peer.commands === most + 1) this.end(id, '4.7.0 Too many commands, closing the connection')
  }

  /** Replies 421, which ends the connection. */
  end(id: string, text: string): void {
    this.#connectionOf(id)?.send(421, text)
  }

  /** Ends the connection without a further reply. */
  close(id: string): void {
    this.#connectionOf(id)?.close()
  }

  stop(): void {
    for (const { clock } of this.#peers.values()) clock.stop()
  }

  #connectionOf(id: string) {
    for (const connection of this.#server?.connections ?? []) if (connection.id === id) return connection
    return undefined
  }
}

/** Starts an SMTP server whose connections are bounded in number, time, commands and bytes. */
export async function startBoundedSmtp<Own>({
  host,
  port,
  limits,
  isTrustedProxy,
  logger,
  makeOwn,
  options,
}: BoundedSmtpOptions<Own>): Promise<BoundedSmtp> {
  const peers = new SmtpPeers<Own>()
  const server = new SMTPServer({
    // Names are not used, and without DNS every connection would wait for them.
    disableReverseLookup: true,
    size: limits.mailBytes,
    maxCommandLength: limits.commandBytes,
    maxRecipients: limits.recipients,
    socketTimeout: limits.idleTimeoutMs,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...options(peers),
    logger: {
      info() {},
      error() {},
      // The library reports commands only to its logger.
      debug(about: { tnx?: string; cid?: string }) {
        if (about.tnx === 'command') peers.countCommand(about.cid ?? '', limits.commands)
      },
    },
    onConnect({ id }, done) {
      // A slow sender is never idle: each message has its own timeout.
      const end = () => peers.end(id, '4.4.2 Too slow, closing the connection')
      peers.add(id, new PeerClock(limits.mailTimeoutMs, end), makeOwn())
      done()
    },
    onClose({ id }) {
      peers.delete(id)
    },
  })
  peers.serve(server)
  server.on('error', error => logger.debug({ err: error }, 'an SMTP connection failed'))
  limitConnections(server.server, limits.connections, {
    isTrustedProxy,
    farewell: '421 4.7.0 Too many connections from your address, try again later\r\n',
  })
  const listening = server.listen(port, host)
  if (!listening.listening) await once(listening, 'listening')
  const address = listening.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    async stop() {
      await new Promise<void>(resolve => server.close(() => resolve()))
      peers.stop()
    },
  }
}

/** Less than the shutdown time of a role. */
const CLOSE_TIMEOUT_MS = 10_000

/** An SMTP reply that refuses a command. @param message begins with the enhanced status code (RFC 3463) */
export function smtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** The reply to a message that could not be received. */
export function refusalOfBytes(error: unknown): Error {
  return smtpRefusal(...REFUSALS[error instanceof CollectError ? error.reason : 'broken'])
}

const REFUSALS: Record<CollectError['reason'], [code: number, message: string]> = {
  'too large': [552, '5.3.4 Message too big'],
  busy: [452, '4.3.1 Too many messages at once, try again later'],
  broken: [451, '4.4.2 The message did not arrive whole'],
}
