import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { domainToASCII } from 'node:url'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { createAttemptMemory } from './attempt-memory.ts'
import type { Arrival, Verdict } from './authenticate-mail.ts'
import { chooseFate, type Fate } from './choose-fate.ts'
import { domainOf, indexProviders } from './find-provider.ts'
import type { LogEntry, MailStore, ReceivedMail } from './mail-store.ts'
import { acceptedText } from './mail-store.ts'
import { summariseMessage } from './message-summary.ts'
import type { ProviderProfile, Reply } from './provider-profile.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'
import { createTokenBucket, type TokenBucket } from './token-bucket.ts'

export interface SmtpSinkOptions {
  host: string
  port: number
  seed: string
  profiles: readonly ProviderProfile[]
  store: MailStore
  verify: (raw: Buffer, arrival: Arrival, now: number) => Promise<Verdict>
  /** Called inside the transaction that stores a message, once per recipient. */
  onStored: (
    storedId: number,
    address: string,
    fate: Fate,
    mail: { subject: string; folder: Fate['folder'] },
  ) => void
  maxMessageBytes: number
  /** Seconds after which a greylisted or deferred sender is accepted. */
  retryAfter: number
  /** Seconds until a slow server replies. */
  slowReply: number
  now: () => number
  onError: (error: Error) => void
}

export interface SmtpSink {
  port: number
  /** Number of messages being received. */
  receiving: () => number
  /** Rejects new commands, waits for messages in progress, closes. */
  close: () => Promise<void>
}

/**
 * Starts the receiving servers of all providers on one port: PIPELINING, 8BITMIME, SMTPUTF8, SIZE and STARTTLS with a
 * self-signed certificate. Accepts only domains of the profiles. Every reply is committed to the store before it is
 * sent; a message declared as too large is rejected at MAIL, before there is a recipient to log.
 * @throws if the port is taken
 */
export async function startSmtpSink(options: SmtpSinkOptions): Promise<SmtpSink> {
  const { store, now } = options
  const findProvider = indexProviders(options.profiles)
  const attempts = createAttemptMemory(100_000)
  const limits = providerLimits(options.profiles)
  const sockets = new Map<string, Socket>()
  const work = { receiving: 0 }

  const server = new SMTPServer({
    name: 'mx.testbed.test',
    banner: 'testbed',
    size: options.maxMessageBytes,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    maxClients: 1000,
    closeTimeout: CLOSE_TIMEOUT,
    minVersion: 'TLSv1.2',
    ...createSelfSignedCertificate(certificateHosts(options.profiles)),
    async onRcptTo({ address }, session, callback) {
      const refusal = refuseRecipient(normaliseAddress(address), senderOf(session))
      callback(refusal === null ? null : await giveRefusal(refusal))
    },
    async onData(stream, session, callback) {
      work.receiving++
      const reply = await receive(stream, session).catch(storageReply)
      if (reply?.code === 250) callback(null, reply.text)
      else if (reply) callback(replyError(reply))
      work.receiving--
    },
  })
  server.on('error', options.onError)
  server.server.on('connection', socket => {
    const key = socketKey(socket.remoteAddress, socket.remotePort)
    sockets.set(key, socket)
    socket.on('close', () => sockets.delete(key))
  })
  server.listen(options.port, options.host)
  await once(server.server, 'listening')
  const bound = server.server.address()

  return {
    port: typeof bound === 'object' && bound ? bound.port : options.port,
    receiving: () => work.receiving,
    close,
  }

  async function close(): Promise<void> {
    const closed = new Promise<void>(resolve => server.close(resolve))
    for (let waited = 0; work.receiving > 0 && waited < CLOSE_TIMEOUT; waited += 20) await delay(20)
    for (const connection of server.connections) connection.send(421, '4.3.2 The testbed is stopping')
    await closed
  }

  function refuseRecipient(recipient: string, sender: string): LogEntry | null {
    const provider = findProvider(domainOf(recipient))
    const entry = { sender, recipient, messageId: '' }
    if (!provider) return { ...entry, ...RELAY_DENIED }
    const fate = chooseFate(recipient, provider, options.seed)
    const refuse = (behaviour: 'unknown' | 'full' | 'greylist' | 'defer'): LogEntry => {
      const reply = provider.replies[behaviour]
      const outcome = reply.code < 500 ? 'deferred' : 'refused'
      return { ...entry, ...reply, provider: provider.name, behaviour, outcome }
    }
    if (limits.get(provider)?.take(now()) === false) return refuse('defer')
    if (fate.behaviour === 'unknown' || fate.behaviour === 'full') return refuse(fate.behaviour)
    if (fate.behaviour === 'greylist' || fate.behaviour === 'defer') {
      const known = attempts.note(`${sender}\n${recipient}`, now())
      const waited = now() - known.firstAt >= options.retryAfter * 1000
      if (known.count === 1 || !waited) return refuse(fate.behaviour)
    }
    return null
  }

  async function giveRefusal(refusal: LogEntry): Promise<Error> {
    try {
      await store.log([refusal])
      return replyError(refusal)
    } catch (error) {
      return replyError(storageReply(error))
    }
  }

  /** The reply to a message, or null if the connection has ended instead. */
  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Reply | null> {
    const sender = senderOf(session)
    const recipients = session.envelope.rcptTo.flatMap(rcpt => {
      const address = normaliseAddress(rcpt.address)
      const provider = findProvider(domainOf(address))
      return provider ? [{ address, fate: chooseFate(address, provider, options.seed) }] : []
    })
    const find = (behaviour: Fate['behaviour']) => recipients.find(({ fate }) => fate.behaviour === behaviour)
    const logAll = (line: Pick<LogEntry, 'behaviour' | 'outcome' | 'code' | 'text' | 'messageId'>) =>
      store.log(
        recipients.map(({ address, fate }) => ({
          ...line,
          provider: fate.provider.name,
          sender,
          recipient: address,
        })),
      )

    const body = await readBody(stream, options.maxMessageBytes, find('cut') ? CUT_AFTER : null)
    if (body.end === 'too large') {
      const text = `message exceeds ${options.maxMessageBytes} bytes`
      await logAll({ behaviour: 'size', outcome: 'refused', code: 552, text, messageId: '' })
      return { code: 552, text }
    }
    if (body.end !== 'complete') {
      const text = body.end === 'cut' ? 'connection ended in the middle of the mail' : 'the sender went away'
      const behaviour = body.end === 'cut' ? 'cut' : 'accept'
      await logAll({ behaviour, outcome: 'broken', code: 0, text, messageId: '' })
      drop(session)
      return null
    }

    const summary = summariseMessage(body.raw)
    const rejecting = find('reject')
    if (rejecting) {
      const reply = rejecting.fate.provider.replies.reject
      await logAll({ ...reply, behaviour: 'reject', outcome: 'refused', messageId: summary.messageId })
      return reply
    }
    const verdict = await options.verify(body.raw, arrivalOf(session, recipients[0]?.fate.provider), now())
    const dropping = find('drop') !== undefined
    const mail: ReceivedMail = {
      raw: body.raw,
      sender,
      summary,
      verdict,
      outcome: dropping ? 'unanswered' : 'accepted',
      recipients: recipients.map(({ address, fate }) => ({
        address,
        provider: fate.provider.name,
        behaviour: fate.behaviour,
        folder: verdict.verified === 'fail' ? 'spam' : fate.folder,
      })),
    }
    const sourceId = await store.accept(mail, storedIds => {
      storedIds.forEach((storedId, index) => {
        const recipient = recipients[index]
        const kept = mail.recipients[index]
        if (!recipient || !kept) return
        const { address, fate } = recipient
        options.onStored(storedId, address, fate, { subject: summary.subject, folder: kept.folder })
      })
    })
    if (dropping) {
      drop(session)
      return null
    }
    if (find('slow')) await delay(options.slowReply * 1000)
    return { code: 250, text: acceptedText(sourceId) }
  }

  function drop(session: SMTPServerSession): void {
    sockets.get(socketKey(session.remoteAddress, session.remotePort))?.destroy()
  }
}

const RELAY_DENIED = {
  provider: '',
  behaviour: 'relay',
  outcome: 'refused',
  code: 550,
  text: '5.7.1 Relaying denied: this server takes mail for the domains of the testbed only',
} as const

/** Longer than a slow reply, and shorter than the shutdown time of a role. */
const CLOSE_TIMEOUT = 10_000

/** Bytes after which a connection breaks during DATA. */
const CUT_AFTER = 1

/** Reads a message; one that exceeds the limit is read to its end and discarded. */
async function readBody(
  stream: SMTPServerDataStream,
  limit: number,
  cutAfter: number | null,
): Promise<{ end: 'complete'; raw: Buffer } | { end: 'too large' | 'cut' | 'gone' }> {
  const chunks: Buffer[] = []
  let size = 0
  const { promise, resolve } = Promise.withResolvers<'complete' | 'too large' | 'cut' | 'gone'>()
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) chunks.length = 0
    else chunks.push(chunk)
    if (cutAfter !== null && size >= cutAfter) resolve('cut')
  })
  stream.on('end', () => resolve(size > limit ? 'too large' : 'complete'))
  stream.on('error', () => resolve('gone'))
  stream.on('close', () => resolve('gone'))
  const end = await promise
  return end === 'complete' ? { end, raw: Buffer.concat(chunks) } : { end }
}

function senderOf(session: SMTPServerSession): string {
  return session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
}

function arrivalOf(session: SMTPServerSession, provider: ProviderProfile | undefined): Arrival {
  return {
    sender: senderOf(session),
    ip: session.remoteAddress.replace(/^::ffff:/, ''),
    helo: session.hostNameAppearsAs,
    host: provider?.mx[0] ?? 'mx.testbed.test',
  }
}

/** The local part as written, the domain as lower-case A-labels: the form in which senders store addresses. */
function normaliseAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address
  const domain = address.slice(at + 1).toLowerCase()
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}

function replyError(reply: Reply): Error {
  return Object.assign(new Error(reply.text), { responseCode: reply.code })
}

function storageReply(error: unknown): Reply {
  const reason = error instanceof Error ? error.message : String(error)
  return { code: 452, text: `4.3.1 The testbed cannot keep the mail now: ${reason}` }
}

function socketKey(address: string | undefined, port: number | undefined): string {
  return `${(address ?? '').replace(/^::ffff:/, '')} ${port ?? 0}`
}

function providerLimits(profiles: readonly ProviderProfile[]): Map<ProviderProfile, TokenBucket> {
  const limits = new Map<ProviderProfile, TokenBucket>()
  for (const profile of profiles) {
    if (profile.perMinute !== null) limits.set(profile, createTokenBucket(profile.perMinute / 60))
  }
  return limits
}

function certificateHosts(profiles: readonly ProviderProfile[]): string[] {
  return ['mx.testbed.test', 'localhost', ...new Set(profiles.flatMap(profile => profile.mx))]
}
