import type { SmtpPhase } from './classify-reply.ts'
import { envelopeCommands } from './envelope-commands.ts'
import { type Extensions, openSession, SMTP_TIMEOUTS, type SmtpServer } from './handshake.ts'
import { toDataForm, toLineForm } from './message-form.ts'
import { lostOutcome, replyOutcome, type SmtpOutcome } from './outcome.ts'
import type { SmtpReply } from './reply.ts'
import { type ReplySocket, SmtpConnectionError } from './reply-socket.ts'

/**
 * Messages in flight per connection: enough to keep it busy despite latency and batched journal writes, and few,
 * because a crash leaves them with an unknown outcome.
 */
export const SMTP_DEPTH = 16

export interface SmtpOptions extends SmtpServer {
  /** Messages in flight on one connection of a pool; 1 waits for each reply. Default 16. */
  depth?: number
  /** Messages after which the connection is closed. Default: no limit. */
  maxMessages?: number
  /** Uses BDAT (RFC 3030) if the server offers it. */
  chunking?: boolean
}

export interface SmtpEnvelope {
  /** Return path; '' for a message that must not bounce. */
  from: string
  to: string
  /** The header needs SMTPUTF8. Envelope addresses are checked in any case. */
  smtpUtf8?: boolean
}

export interface SendOptions {
  /**
   * The message was built by mailBytes: CRLF line ends, no line begins with a dot, seven-bit unless SMTPUTF8. It is
   * sent unchanged; any other message is converted first.
   */
  prepared?: boolean
}

export interface SmtpConnection {
  /**
   * Sends one message to one recipient. Several may be in flight; they are sent in order. Never rejects: after a lost
   * connection the outcome is `deferred` if the final dot was certainly not sent, `unknown` otherwise. If the server
   * closed before it replied to any command of the message, the phase is `connect`.
   */
  send(envelope: SmtpEnvelope, message: readonly Buffer[], options?: SendOptions): Promise<SmtpOutcome>
  /** False once no more messages can be sent. */
  readonly isOpen: boolean
  /** Messages without an outcome. */
  readonly inFlight: number
  /** Waits for messages in flight, then sends QUIT. */
  close(): Promise<void>
  /** Resolves when the connection has closed for any reason. */
  readonly ended: Promise<void>
}

/**
 * Opens a connection to a next hop, including greeting, TLS and authentication.
 * @throws SmtpHandshakeError with the outcome of the messages to be sent over it
 */
export async function connect(options: SmtpOptions): Promise<SmtpConnection> {
  const { wire, extensions } = await openSession(options)
  return new Client(wire, extensions, options)
}

interface Transaction {
  /** MAIL and RCPT, without line ends. */
  mail: string
  rcpt: string
  message: readonly Buffer[]
  size: number
  settle: (outcome: SmtpOutcome) => void
  /** The first rejection; later replies of the transaction are consequences. */
  refusal: SmtpOutcome | null
  phase: SmtpPhase
  /** From here on it is unknown whether the server has the message, until it replies. */
  dotMayBeSent: boolean
}

type Step = 'reset' | 'mail' | 'rcpt' | 'data' | 'message' | 'nothing' | 'quit'

interface Command {
  step: Step
  transaction: Transaction | null
  text: string
}

const QUIT_TIMEOUT = 5_000

/**
 * One connection. With PIPELINING (RFC 2920) a message takes one round trip: its text is sent together with MAIL,
 * RCPT and DATA of the next one. Every command is queued until its reply arrives.
 */
class Client implements SmtpConnection {
  readonly ended: Promise<void>
  readonly #wire: ReplySocket
  readonly #extensions: Extensions
  readonly #depth: number
  readonly #maxMessages: number
  readonly #pipelines: boolean
  readonly #chunks: boolean
  readonly #timeouts: { command: number; data: number }
  readonly #waiting: Transaction[] = []
  /** The transaction whose text was not sent yet. */
  #opening: Transaction | null = null
  /** Commands to send; one at a time without PIPELINING. */
  #commands: Command[] = []
  readonly #awaited: Command[] = []
  /** The command whose reply timeout is running. */
  #timed: Command | null = null
  #output: (string | Buffer)[] = []
  #needsReset = false
  #accepted = 0
  #inFlight = 0
  #isClosing = false
  /** The server's reply when it announced that it closes the connection. */
  #farewell: SmtpReply | null = null

  constructor(wire: ReplySocket, extensions: Extensions, options: SmtpOptions) {
    this.#wire = wire
    this.#extensions = extensions
    this.#depth = Math.max(1, options.depth ?? SMTP_DEPTH)
    this.#maxMessages = options.maxMessages ?? Number.POSITIVE_INFINITY
    this.#pipelines = extensions.has('PIPELINING')
    this.#chunks = options.chunking === true && extensions.has('CHUNKING')
    this.#timeouts = { ...SMTP_TIMEOUTS, ...options.timeouts }
    this.ended = new Promise(resolve => {
      wire.onEnd = error => {
        this.#abandon(error.message)
        resolve()
      }
    })
    wire.onReply = reply => {
      this.#handle(reply)
      this.#proceed()
    }
    if (!wire.isOpen) wire.onEnd(new SmtpConnectionError('The server closed the connection.'))
  }

  get isOpen(): boolean {
    return !this.#isClosing && this.#accepted < this.#maxMessages
  }

  get inFlight(): number {
    return this.#inFlight
  }

  send(envelope: SmtpEnvelope, message: readonly Buffer[], options: SendOptions = {}): Promise<SmtpOutcome> {
    if (!this.isOpen) return Promise.resolve(lostOutcome('The connection was closed.', 'connect', false))
    const body = options.prepared ? message : [this.#chunks ? toLineForm(message) : toDataForm(message)]
    let size = 0
    for (const part of body) size += part.length
    const commands = envelopeCommands(envelope, size, options.prepared ?? false, this.#extensions)
    if ('outcome' in commands) return Promise.resolve(commands)
    this.#accepted++
    this.#inFlight++
    return new Promise(resolve => {
      const settle = (outcome: SmtpOutcome) => {
        this.#inFlight--
        resolve(outcome)
      }
      const state = { settle, refusal: null, phase: 'connect' as const, dotMayBeSent: false }
      this.#waiting.push({ ...commands, message: body, size, ...state })
      this.#proceed()
    })
  }

  close(): Promise<void> {
    this.#isClosing = true
    this.#proceed()
    return this.ended
  }

  #proceed(): void {
    this.#openNext()
    this.#writeCommands()
    if (this.#output.length > 0) {
      const output = this.#output
      this.#output = []
      this.#wire.write(...output)
    }
    const [next = null] = this.#awaited
    // A new message must not extend the timeout of the reply that is due.
    if (next === this.#timed) return
    this.#timed = next
    this.#wire.await(this.#timeoutFor(next?.step))
  }

  #timeoutFor(step: Step | undefined): number {
    if (step === undefined) return Number.POSITIVE_INFINITY
    if (step === 'quit') return QUIT_TIMEOUT
    return step === 'message' ? this.#timeouts.data : this.#timeouts.command
  }

  #openNext(): void {
    if (this.#opening !== null || !this.#wire.isOpen) return
    const isIdle = this.#awaited.length === 0 && this.#commands.length === 0
    if (!isIdle && (!this.#pipelines || this.#depth === 1)) return
    const next = this.#waiting.shift()
    if (next === undefined) {
      if (isIdle && !this.isOpen) this.#commands.push({ step: 'quit', transaction: null, text: 'QUIT' })
      return
    }
    this.#opening = next
    next.phase = 'mail'
    if (this.#needsReset) this.#commands.push({ step: 'reset', transaction: null, text: 'RSET' })
    this.#needsReset = false
    this.#commands.push({ step: 'mail', transaction: next, text: next.mail })
    this.#commands.push({ step: 'rcpt', transaction: next, text: next.rcpt })
    if (!this.#chunks) this.#commands.push({ step: 'data', transaction: next, text: 'DATA' })
  }

  #writeCommands(): void {
    if (this.#commands.length === 0) return
    if (!this.#pipelines && this.#awaited.length > 0) return
    const count = this.#pipelines ? this.#commands.length : 1
    let text = ''
    for (const command of this.#commands.splice(0, count)) {
      text += `${command.text}\r\n`
      this.#awaited.push(command)
    }
    this.#output.push(text)
  }

  #handle(reply: SmtpReply): void {
    const [awaited] = this.#awaited
    if (reply.code === 421) this.#beginFarewell(reply)
    if (awaited === undefined) {
      this.#wire.end(new SmtpConnectionError(reply.text))
      return
    }
    const { step, transaction } = awaited
    if (!isPossible(step, reply.code)) {
      this.#wire.end(new SmtpConnectionError(`The server answered out of turn: ${reply.code} ${reply.text}`))
      return
    }
    this.#awaited.shift()
    if (transaction === null) {
      if (step === 'quit' || (step === 'reset' && reply.code >= 400)) this.#wire.end()
      return
    }
    if (step === 'message') transaction.settle(replyOutcome(reply, 'message'))
    else if (step === 'data') this.#afterData(reply, transaction)
    else if (step === 'mail' || step === 'rcpt') this.#afterEnvelope(reply, transaction, step)
  }

  #afterEnvelope(reply: SmtpReply, transaction: Transaction, step: 'mail' | 'rcpt'): void {
    const isRefused = reply.code >= 400
    if (isRefused) transaction.refusal ??= replyOutcome(reply, step)
    if (!isRefused && step === 'mail') this.#needsReset = true
    transaction.phase = step === 'mail' ? 'rcpt' : 'data'
    if (this.#pipelines) {
      if (this.#chunks && step === 'rcpt') this.#finishOpening(transaction)
    } else if (transaction.refusal !== null || (this.#chunks && step === 'rcpt')) {
      this.#commands = []
      this.#finishOpening(transaction)
    }
  }

  #afterData(reply: SmtpReply, transaction: Transaction): void {
    if (reply.code === 354 && transaction.refusal !== null) {
      // The server expects a text that has no recipient: end it with an empty one (RFC 2920, 3.1).
      this.#output.push('.\r\n')
      this.#awaited.push({ step: 'nothing', transaction: null, text: '' })
      this.#needsReset = false
    } else if (reply.code !== 354) {
      transaction.refusal ??= replyOutcome(reply, 'data')
    }
    this.#finishOpening(transaction)
  }

  /** All envelope replies have arrived: sends the text or ends the transaction. */
  #finishOpening(transaction: Transaction): void {
    this.#opening = null
    if (transaction.refusal !== null) {
      transaction.settle(transaction.refusal)
      return
    }
    // A rejected BDAT may leave the transaction open (RFC 3030, 2).
    this.#needsReset = this.#chunks
    transaction.phase = 'message'
    transaction.dotMayBeSent = true
    this.#awaited.push({ step: 'message', transaction, text: '' })
    if (this.#chunks) this.#output.push(`BDAT ${transaction.size} LAST\r\n`, ...transaction.message)
    else this.#output.push(...transaction.message, '.\r\n')
  }

  #beginFarewell(reply: SmtpReply): void {
    this.#isClosing = true
    this.#farewell = reply
    for (const waiting of this.#waiting.splice(0)) waiting.settle(replyOutcome(reply, 'connect'))
  }

  /** Settles all messages after the connection was lost. */
  #abandon(text: string): void {
    this.#isClosing = true
    const lost = new Set([
      ...this.#awaited.map(command => command.transaction),
      this.#opening,
      ...this.#waiting,
    ])
    this.#awaited.length = 0
    this.#commands = []
    this.#waiting.length = 0
    this.#opening = null
    for (const transaction of lost) {
      if (transaction === null) continue
      const { refusal, phase, dotMayBeSent, settle } = transaction
      if (refusal !== null) settle(refusal)
      else if (this.#farewell !== null && !dotMayBeSent)
        settle(replyOutcome(this.#farewell, phase === 'mail' ? 'connect' : phase))
      else settle(lostOutcome(text, phase, dotMayBeSent))
    }
  }
}

/** False if a success, a request for text or a greeting shows that replies and commands no longer match. */
function isPossible(step: Step, code: number): boolean {
  if (code >= 400) return true
  if (step === 'data') return code === 354
  return code < 300 && (step === 'quit' || (code !== 220 && code !== 221))
}
