import { once } from 'node:events'
import { addressDomain } from '@emma/mail/address.ts'
import { type Inbox, recordInbound } from '@emma/core/events/record-inbound.ts'
import { receivesReturns } from '@emma/core/deliverability/mail-hosts.ts'
import { readSystemSettings } from '@emma/core/platform/system-settings.ts'
import type { InboundMail } from '@emma/mail/bounce/inbound-mail.ts'
import type { ResolveTxt } from '@emma/mail/dkim/verify-mail.ts'
import { parseVerp } from '@emma/mail/token.ts'
import { SMTPServer } from 'smtp-server'
import type { Logger } from '../logger.ts'
import { ByteBudget } from '../network/byte-budget.ts'
import { CollectError, collectBytes } from '../network/collect-bytes.ts'
import { limitConnections } from '../network/limit-connections.ts'
import { INBOUND_LIMITS, type Limits } from '../network/limits.ts'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import { createThread } from '../run-in-thread.ts'
import { createComplaintProver } from './complaint-prover.ts'
import { PeerClock } from './peer-clock.ts'

export interface InboundOptions {
  host: string
  port: number
  /** Trusted servers that relay mail of many senders. */
  isTrustedProxy: IsTrustedProxy
  /** Resolver for signing keys. */
  resolveTxt: ResolveTxt
  limits?: Limits<typeof INBOUND_LIMITS>
}

/** Usage of a connection's limits. */
interface Peer {
  clock: PeerClock
  refusedRecipients: number
  /** Since the last message. */
  commands: number
}

export interface InboundServer {
  port: number
  stop(): Promise<void>
}

/**
 * Starts the SMTP server for bounces: accepts mail only for return path hosts of the domains, and there for signed
 * return paths and `fbl@`. Anything else is rejected at RCPT, so this is no open relay. A message is accepted once it
 * is in the log. Connections are bounded by `INBOUND_LIMITS`.
 */
export async function startInboundServer(
  inbox: Inbox,
  { host, port, isTrustedProxy, resolveTxt, limits = INBOUND_LIMITS }: InboundOptions,
  logger: Logger,
): Promise<InboundServer> {
  const budget = new ByteBudget(limits.mailsBytes)
  const parser = createThread<Buffer, InboundMail>(new URL('parse-thread.ts', import.meta.url), {
    timeoutMs: limits.parseTimeoutMs,
    memoryMb: 128,
  })
  const peers = new Map<string, Peer>()
  const readSenders = async () => (await readSystemSettings(inbox.db)).feedback_loops.senders
  const prover = createComplaintProver({ readSenders, resolveTxt, limits }, logger)

  async function record(source: Buffer, recipients: readonly { address: string }[]): Promise<void> {
    const mail = await parser.run(source).catch((error: unknown) => {
      logger.warn(
        { err: error, bytes: source.length },
        'an inbound message could not be parsed; it is dropped',
      )
      return null
    })
    if (mail === null) return
    const proof = mail.kind === 'complaint' ? await prover.prove(source) : null
    for (const { address } of recipients) {
      const kind = await recordInbound(inbox, address, mail, proof)
      logger.debug({ kind }, 'an inbound message was recorded')
    }
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    // The name is not used, and without DNS every connection would wait for it.
    disableReverseLookup: true,
    size: limits.mailBytes,
    maxCommandLength: limits.commandBytes,
    maxRecipients: limits.recipients,
    socketTimeout: limits.idleTimeoutMs,
    closeTimeout: CLOSE_TIMEOUT_MS,
    banner: 'EMMA returned mail',
    // The library reports commands only to its logger.
    logger: { info() {}, error() {}, debug: countCommand },
    onConnect(session, done) {
      // A slow sender is never idle: each message has its own timeout.
      const end = () => connectionOf(session.id)?.send(421, '4.4.2 Too slow, closing the connection')
      const clock = new PeerClock(limits.mailTimeoutMs, end)
      clock.start()
      peers.set(session.id, { clock, refusedRecipients: 0, commands: 0 })
      done()
    },
    onClose({ id }) {
      peers.get(id)?.clock.stop()
      peers.delete(id)
    },
    async onRcptTo({ address }, { id }, done) {
      peers.get(id)?.clock.stop()
      const answer = await answerRecipient(id, address).catch(() => refusal(451, '4.3.0 Try again later'))
      peers.get(id)?.clock.start()
      done(answer)
    },
    async onData(stream, session, done) {
      const mail = await collectBytes(stream, limits.mailBytes, budget).catch((error: unknown) => {
        done(refusal(...REFUSALS[error instanceof CollectError ? error.reason : 'broken']))
        // The remaining data would be discarded.
        disconnect(session.id)
      })
      if (!mail) return
      peers.get(session.id)?.clock.stop()
      try {
        await record(mail.bytes, session.envelope.rcptTo)
        done()
      } catch (error) {
        logger.error({ err: error }, 'an inbound message could not be recorded')
        done(refusal(451, '4.3.0 Try again later'))
      } finally {
        mail.release()
        const peer = peers.get(session.id)
        peer?.clock.reset()
        if (peer) peer.commands = 0
      }
    },
  })
  server.on('error', error => logger.debug({ err: error }, 'a connection for inbound mail failed'))
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
      for (const { clock } of peers.values()) clock.stop()
      await Promise.all([parser.close(), prover.close()])
    },
  }

  function countCommand(about: { tnx?: string; cid?: string }): void {
    const peer = about.tnx === 'command' && about.cid !== undefined ? peers.get(about.cid) : undefined
    if (!peer || ++peer.commands !== limits.commands + 1) return
    connectionOf(about.cid ?? '')?.send(421, '4.7.0 Too many commands, closing the connection')
  }

  /** Null accepts the recipient. */
  async function answerRecipient(id: string, address: string): Promise<Error | null> {
    if (await isOurs(inbox, address)) return null
    const peer = peers.get(id)
    // Bounces of our messages do not need several attempts at addresses.
    if (peer && ++peer.refusedRecipients >= limits.refusedRecipients)
      return refusal(421, '4.7.1 Too many unknown recipients, closing the connection')
    return refusal(550, '5.1.1 No such address here')
  }

  function disconnect(id: string): void {
    connectionOf(id)?.close()
  }

  function connectionOf(id: string) {
    for (const connection of server.connections) if (connection.id === id) return connection
    return undefined
  }
}

/** Less than the shutdown time of a role. */
const CLOSE_TIMEOUT_MS = 10_000

const REFUSALS: Record<CollectError['reason'], [code: number, message: string]> = {
  'too large': [552, '5.3.4 Message too big'],
  busy: [452, '4.3.1 Too many messages at once, try again later'],
  broken: [451, '4.4.2 The message did not arrive whole'],
}

/** Unsigned addresses: complaints contain their token in the message. */
const UNSIGNED = /^(?:fbl|postmaster|abuse)@/

async function isOurs({ db, tokenKey }: Inbox, address: string): Promise<boolean> {
  const lower = address.toLowerCase()
  if (!UNSIGNED.test(lower) && parseVerp(tokenKey, lower) === null) return false
  return receivesReturns(db, addressDomain(lower))
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
