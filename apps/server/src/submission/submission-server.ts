import { EmmaError } from '@emma/contract/errors.ts'
import { createMailAcceptor } from '@emma/core/transactional/accept-mails.ts'
import { readSubmissionTemplate, submitMail } from '@emma/core/transactional/submit-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import { parseAddress } from '@emma/mail/address.ts'
import type { SubmittedMail } from '@emma/mail/mime/parse-submitted.ts'
import type { Logger } from '../logger.ts'
import { type BoundedSmtp, refusalOfBytes, smtpRefusal, startBoundedSmtp } from '../network/bounded-smtp.ts'
import { ByteBudget } from '../network/byte-budget.ts'
import { collectBytes } from '../network/collect-bytes.ts'
import { type Limits, SUBMISSION_LIMITS } from '../network/limits.ts'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import { createThread } from '../run-in-thread.ts'
import { createMailCounter } from './mail-counter.ts'
import { isRefusal, refusalOf } from './refusals.ts'

export interface SubmissionOptions {
  host: string
  port: number
  isTrustedProxy: IsTrustedProxy
  /** Certificate for STARTTLS, PEM. Null: none, for programs on this machine. */
  tls: { key: string; cert: string } | null
  limits?: Limits<typeof SUBMISSION_LIMITS>
}

/** What a connection has used, and its key once it is known. */
interface Peer {
  refusedLogins: number
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
): Promise<BoundedSmtp> {
  const budget = new ByteBudget(limits.mailsBytes)
  const acceptor = createMailAcceptor(db)
  const counter = createMailCounter()
  const parser = createThread<Buffer, SubmittedMail>(new URL('parse-thread.ts', import.meta.url), {
    processorMs: limits.parseTimeoutMs,
    memoryMb: 256,
  })

  async function submit(
    source: Buffer,
    peer: Peer | undefined,
    recipients: readonly string[],
  ): Promise<void> {
    if (!peer?.key) throw smtpRefusal(530, '5.7.0 Authentication required')
    // Read again: the key may have been replaced since the login.
    const template = await readSubmissionTemplate(db, peer.key)
    if (!counter.take(template, recipients.length))
      throw smtpRefusal(
        451,
        '4.7.1 The rate limit of this transactional email is reached, try again in a minute',
      )
    const mail = await parser.run(source).catch((error: unknown) => {
      logger.info({ err: error, bytes: source.length }, 'A submitted message could not be parsed')
      throw smtpRefusal(550, '5.6.0 The message could not be parsed')
    })
    await submitMail(acceptor, template, mail, recipients)
  }

  const server = await startBoundedSmtp<Peer>({
    host,
    port,
    limits,
    isTrustedProxy,
    logger,
    makeOwn: () => ({ refusedLogins: 0, key: null }),
    options: peers => ({
      authMethods: ['PLAIN', 'LOGIN'],
      authOptional: false,
      allowInsecureAuth: tls === null,
      ...tls,
      disabledCommands: tls === null ? ['STARTTLS'] : [],
      banner: 'EMMA submission',
      async onAuth({ password }, { id }, done) {
        const key = password ?? ''
        const peer = peers.ownOf(id)
        try {
          const { clientId } = await readSubmissionTemplate(db, key)
          if (peer) peer.key = key
          done(null, { user: String(clientId) })
        } catch (error) {
          if (peer && ++peer.refusedLogins >= limits.refusedLogins)
            peers.end(id, '4.7.0 Too many logins, closing the connection')
          else done(refusalOf(error, 535))
        }
      },
      onRcptTo({ address }, _session, done) {
        done(parseAddress(address).ok ? null : smtpRefusal(553, '5.1.3 This is not an email address'))
      },
      async onData(stream, { id, envelope }, done) {
        const mail = await collectBytes(stream, limits.mailBytes, budget).catch((error: unknown) => {
          done(refusalOfBytes(error))
          peers.close(id)
        })
        if (!mail) return
        const recipients = envelope.rcptTo.map(({ address }) => address)
        const copies = mail.bytes.length * recipients.length
        const isReserved = copies <= limits.copiesBytes && budget.reserve(copies)
        try {
          if (!isReserved) throw copies > limits.copiesBytes ? TOO_MANY_COPIES : BUSY
          await peers.pause(id, () => submit(mail.bytes, peers.ownOf(id), recipients))
          done(null, 'OK: accepted')
        } catch (error) {
          if (!isRefusal(error) && !(error instanceof EmmaError))
            logger.error({ err: error }, 'A submitted message could not be accepted')
          done(refusalOf(error, 550))
        } finally {
          mail.release()
          if (isReserved) budget.release(copies)
          peers.reset(id)
        }
      },
    }),
  })
  return {
    port: server.port,
    async stop() {
      await server.stop()
      await parser.close()
    },
  }
}

const TOO_MANY_COPIES = smtpRefusal(552, '5.3.4 The message is too big for this many recipients')
const BUSY = smtpRefusal(452, '4.3.1 Too many messages at once, try again later')
