import { addressDomain } from '@emma/mail/address.ts'
import { type Inbox, recordInbound } from '@emma/core/events/record-inbound.ts'
import { receivesReturns } from '@emma/core/deliverability/mail-hosts.ts'
import { readSystemSettings } from '@emma/core/platform/system-settings.ts'
import type { InboundMail } from '@emma/mail/bounce/inbound-mail.ts'
import type { ResolveTxt } from '@emma/mail/dkim/verify-mail.ts'
import { parseVerp } from '@emma/mail/token.ts'
import type { Logger } from '../logger.ts'
import { refusalOfBytes, smtpRefusal, startBoundedSmtp } from '../network/bounded-smtp.ts'
import { ByteBudget } from '../network/byte-budget.ts'
import { collectBytes } from '../network/collect-bytes.ts'
import { INBOUND_LIMITS, type Limits } from '../network/limits.ts'
import type { IsTrustedProxy } from '../network/trusted-proxies.ts'
import { createThread } from '../run-in-thread.ts'
import { createComplaintProver } from './complaint-prover.ts'

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
  refusedRecipients: number
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
    processorMs: limits.parseTimeoutMs,
    memoryMb: 128,
  })
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

  const server = await startBoundedSmtp({
    host,
    port,
    limits,
    isTrustedProxy,
    logger,
    makeOwn: () => ({ refusedRecipients: 0 }),
    options: peers => ({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      banner: 'EMMA returned mail',
      async onRcptTo({ address }, { id }, done) {
        const answer = () =>
          answerRecipient(peers.ownOf(id), address).catch(() => smtpRefusal(451, '4.3.0 Try again later'))
        done(await peers.pause(id, answer))
      },
      async onData(stream, { id, envelope }, done) {
        const mail = await collectBytes(stream, limits.mailBytes, budget).catch((error: unknown) => {
          done(refusalOfBytes(error))
          // The remaining data would be discarded.
          peers.close(id)
        })
        if (!mail) return
        try {
          await peers.pause(id, () => record(mail.bytes, envelope.rcptTo))
          done()
        } catch (error) {
          logger.error({ err: error }, 'an inbound message could not be recorded')
          done(smtpRefusal(451, '4.3.0 Try again later'))
        } finally {
          mail.release()
          peers.reset(id)
        }
      },
    }),
  })
  return {
    port: server.port,
    async stop() {
      await server.stop()
      await Promise.all([parser.close(), prover.close()])
    },
  }

  /** Null accepts the recipient. */
  async function answerRecipient(peer: Peer | undefined, address: string): Promise<Error | null> {
    if (await isOurs(inbox, address)) return null
    // Bounces of our messages do not need several attempts at addresses.
    if (peer && ++peer.refusedRecipients >= limits.refusedRecipients)
      return smtpRefusal(421, '4.7.1 Too many unknown recipients, closing the connection')
    return smtpRefusal(550, '5.1.1 No such address here')
  }
}

/** Unsigned addresses: complaints contain their token in the message. */
const UNSIGNED = /^(?:fbl|postmaster|abuse)@/

async function isOurs({ db, tokenKey }: Inbox, address: string): Promise<boolean> {
  const lower = address.toLowerCase()
  if (!UNSIGNED.test(lower) && parseVerp(tokenKey, lower) === null) return false
  return receivesReturns(db, addressDomain(lower))
}
