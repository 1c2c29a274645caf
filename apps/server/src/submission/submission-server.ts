import { once } from 'node:events'
import { EmmaError } from '@emma/contract/errors.ts'
import { createMailAcceptor } from '@emma/core/transactional/accept-mails.ts'
import { readSubmissionTemplate, submitMail } from '@emma/core/transactional/submit-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import { parseAddress } from '@emma/mail/address.ts'
import type { SubmittedMail } from '@emma/mail/mime/parse-submitted.ts'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { PeerClock } from '../inbound/peer-clock.ts'
import type { Logger } from '../logger.ts'
import { ByteBudget } from '../network/byte-budget.ts'
import { CollectError, collectBytes } from '../network/collect-bytes.ts'
import { limitConnections } from '../network/limit-connections.ts'
import { type Limits, SUBMISSION_LIMITS } from '../network/limits.ts'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import { createThread } from '../run-in-thread.ts'
import { createMailCounter } from './mail-counter.ts'
import { refusal, refusalOf } from './refusals.ts'

export interface SubmissionOptions {
  host: string
  port: number
  isTrustedProxy: IsTrustedProxy
  /** Certificate for STARTTLS, PEM. Null: none, for programs on this machine. */
  tls: { key: string; cert: string } | null
  limits?: Limits<typeof SUBMISSION_LIMITS>
}

export interface SubmissionServer {
  port: number
  stop(): Promise<void>
}

/** What a connection has used, and its key once it is known. */
interface Peer {
  clock: PeerClock
  refusedLogins: number
  commands: number
  key: string | null
}

/**
 * Starts the SMTP server for programs that send transactional emails (RFC 6409): AUTH PLAIN and LOGIN with the API key
 * of a transactional email as password, whatever the user name is. With a certificate, AUTH needs STARTTLS. A message
 * is answered 250 once all of its emails are durable. Connections are bounded by `SUBMISSION_LIMITS`.
 */
export async function startSubmissionServer(
  db: Db,
  { host, port, isTrustedProxy, tls, limits = SUBMISSION_LIMITS }: SubmissionOptions,
  logger: Logger,
): Promise<SubmissionServer> {
  const budget = new ByteBudget(limits.mailsBytes)
  const acceptor = createMailAcceptor(db)
  const counter = createMailCounter()
  const parser = createThread<Buffer, SubmittedMail>(new URL('parse-thread.ts', import.meta.url), {
    timeoutMs: limits.parseTimeoutMs,
    memoryMb: 256,
  })
  const peers = new Map<string, Peer>()

  async function submit(source: Buffer, session: SMTPServerSession): Promise<void> {
    const key = peers.get(session.id)?.key ?? null
    if (key === null) throw refusal(530, '5.7.0 Authentication required')
    // Read again: the key may have been replaced since the login.
    const template = await readSubmissionTemplate(db, key)
    const recipients = session.envelope.rcptTo.map(({ address }) => address)
    if (!counter.take(template, recipients.length))
      throw refusal(451, '4.7.1 The rate limit of this transactional email is reached, try again in a minute')
    const mail = await parser.run(source).catch((error: unknown) => {
      logger.info({ err: error, bytes: source.length }, 'A submitted message could not be parsed')
      throw refusal(550, '5.6.0 The message could not be parsed')
    })
    await submitMail(acceptor, template, mail, recipients)
  }

  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: false,
    allowInsecureAuth: tls === null,
    ...tls,
    disabledCommands: tls === null ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    size: limits.mailBytes,
    maxCommandLength: limits.commandBytes,
    maxRecipients: limits.recipients,
    socketTimeout: limits.idleTimeoutMs,
    closeTimeout: CLOSE_TIMEOUT_MS,
    banner: 'EMMA submission',
    // The library reports commands only to its logger.
    logger: { info() {}, error() {}, debug: countCommand },
    onConnect({ id }, done) {
      const end = () => connectionOf(id)?.send(421, '4.4.2 Too slow, closing the connection')
      const clock = new PeerClock(limits.mailTimeoutMs, end)
      clock.start()
      peers.set(id, { clock, refusedLogins: 0, commands: 0, key: null })
      done()
    },
    onClose({ id }) {
      peers.get(id)?.clock.stop()
      peers.delete(id)
    },
    async onAuth(login, { id }, done) {
      const password = login.password ?? ''
      const peer = peers.get(id)
      try {
        const { clientId } = await readSubmissionTemplate(db, password)
        if (peer) peer.key = password
        done(null, { user: String(clientId) })
      } catch (error) {
        if (peer && ++peer.refusedLogins >= limits.refusedLogins)
          connectionOf(id)?.send(421, '4.7.0 Too many logins, closing the connection')
        else done(refusalOf(error, 535))
      }
    },
    onRcptTo({ address }, _session, done) {
      done(parseAddress(address).ok ? null : refusal(553, '5.1.3 This is not an e-mail address'))
    },
    async onData(stream, session, done) {
      const peer = peers.get(session.id)
      const mail = await collectBytes(stream, limits.mailBytes, budget).catch((error: unknown) => {
        done(refusal(...REFUSALS[error instanceof CollectError ? error.reason : 'broken']))
        connectionOf(session.id)?.close()
      })
      if (!mail) return
      peer?.clock.stop()
      try {
        await submit(mail.bytes, session)
        done(null, 'OK: accepted')
      } catch (error) {
        if (!(error instanceof EmmaError) && !(error instanceof Error && 'responseCode' in error))
          logger.error({ err: error }, 'A submitted message could not be accepted')
        done(refusalOf(error, 550))
      } finally {
        mail.release()
        peer?.clock.reset()
        if (peer) peer.commands = 0
      }
    },
  })
  server.on('error', error => logger.debug({ err: error }, 'a connection for submission failed'))
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
      await parser.close()
    },
  }

  function countCommand(about: { tnx?: string; cid?: string }): void {
    const peer = about.tnx === 'command' && about.cid !== undefined ? peers.get(about.cid) : undefined
    if (!peer || ++peer.commands !== limits.commands + 1) return
    connectionOf(about.cid ?? '')?.send(421, '4.7.0 Too many commands, closing the connection')
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
