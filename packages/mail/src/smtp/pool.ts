import {
  connect,
  type SendOptions,
  SMTP_DEPTH,
  type SmtpConnection,
  type SmtpEnvelope,
  type SmtpOptions,
} from './client.ts'
import { SmtpHandshakeError } from './handshake.ts'
import { lostOutcome, type SmtpOutcome } from './outcome.ts'

export interface SmtpPoolOptions extends SmtpOptions {
  /** Maximum number of concurrent connections. */
  connections: number
  /** Milliseconds without new connection attempts after one failed. Default 1,000. */
  coolDown?: number
  /** Opens a connection, if there are several servers to try. Default: connects to `host`. */
  connect?: () => Promise<SmtpConnection>
}

export interface SmtpPool {
  /**
   * Sends over any connection with room, opening one if the limit allows it. Never rejects: without a connection, the
   * message is deferred with the server's reply.
   */
  send(envelope: SmtpEnvelope, message: readonly Buffer[], options?: SendOptions): Promise<SmtpOutcome>
  /** Maximum number of messages in flight: keep this many sends open to use the pool fully. */
  readonly capacity: number
  /** Messages without an outcome. */
  readonly pending: number
  /** Waits for the outcomes of all pending messages, then closes the connections. */
  close(): Promise<void>
}

/** Creates a bounded connection pool for one next hop. Connections are opened on demand. */
export function createPool(options: SmtpPoolOptions): SmtpPool {
  return new Pool(options)
}

interface Delivery {
  envelope: SmtpEnvelope
  message: readonly Buffer[]
  options: SendOptions
  settle: (outcome: SmtpOutcome) => void
  order: number
  isRetry: boolean
  /** How often it waited behind others when a connection ended. */
  waited: number
}

class Pool implements SmtpPool {
  readonly capacity: number
  readonly #options: SmtpPoolOptions
  readonly #depth: number
  readonly #coolDown: number
  readonly #connections = new Set<SmtpConnection>()
  readonly #waiting: Delivery[] = []
  #ordered = 0
  #opening = 0
  #pending = 0
  #coolUntil = 0
  #lastFailure = lostOutcome('No connection could be opened.', 'connect', false)
  #isClosing = false
  #whenEmpty: (() => void)[] = []
  /** Messages with an outcome of their own, per connection. */
  readonly #answered = new WeakMap<SmtpConnection, number>()

  constructor(options: SmtpPoolOptions) {
    this.#options = options
    this.#depth = Math.max(1, options.depth ?? SMTP_DEPTH)
    this.#coolDown = options.coolDown ?? 1_000
    this.capacity = options.connections * this.#depth
  }

  get pending(): number {
    return this.#pending
  }

  send(envelope: SmtpEnvelope, message: readonly Buffer[], options: SendOptions = {}): Promise<SmtpOutcome> {
    if (this.#isClosing) return Promise.resolve(lostOutcome('The pool is closed.', 'connect', false))
    this.#pending++
    return new Promise(resolve => {
      const settle = (outcome: SmtpOutcome) => {
        this.#pending--
        resolve(outcome)
        if (this.#pending === 0) for (const done of this.#whenEmpty.splice(0)) done()
      }
      const order = this.#ordered++
      this.#waiting.push({ envelope, message, options, settle, order, isRetry: false, waited: 0 })
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#pending > 0) await new Promise<void>(resolve => this.#whenEmpty.push(resolve))
    await Promise.all([...this.#connections].map(connection => connection.close()))
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#findFree()
      if (connection === null) break
      void this.#deliver(connection, this.#waiting.shift()!)
    }
    this.#openMore()
  }

  /** The connection with the fewest messages in flight, so that all are used. */
  #findFree(): SmtpConnection | null {
    let best: SmtpConnection | null = null
    for (const connection of this.#connections) {
      if (!connection.isOpen || connection.inFlight >= this.#depth) continue
      if (best === null || connection.inFlight < best.inFlight) best = connection
    }
    return best
  }

  async #deliver(connection: SmtpConnection, delivery: Delivery): Promise<void> {
    const before = this.#answered.get(connection) ?? 0
    const outcome = await connection.send(delivery.envelope, delivery.message, delivery.options)
    const answered = this.#answered.get(connection) ?? 0
    // The server had not replied to it yet, but to others before it: their number shrinks with each attempt.
    const wasBehind = outcome.phase === 'connect' && answered > before && delivery.waited < this.#depth
    if (isUnsent(outcome) && (wasBehind || !delivery.isRetry)) {
      // Usually a server that closed an idle connection, or that limits the messages per connection.
      this.#queue({
        ...delivery,
        isRetry: delivery.isRetry || !wasBehind,
        waited: delivery.waited + Number(wasBehind),
      })
    } else {
      if (!isUnsent(outcome)) this.#answered.set(connection, answered + 1)
      delivery.settle(outcome)
    }
    this.#dispatch()
  }

  /** Inserts in order of arrival, so that new messages do not overtake resent ones. */
  #queue(delivery: Delivery): void {
    const place = this.#waiting.findIndex(other => other.order > delivery.order)
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, delivery)
  }

  #openMore(): void {
    const wanted = Math.ceil(this.#waiting.length / this.#depth)
    const allowed = this.#options.connections - this.#connections.size - this.#opening
    if (performance.now() < this.#coolUntil) {
      this.#giveUpWithoutConnection()
      return
    }
    for (let count = Math.min(wanted - this.#opening, allowed); count > 0; count--) void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening++
    try {
      const connection = await (this.#options.connect?.() ?? connect(this.#options))
      this.#connections.add(connection)
      void this.#watch(connection)
      // Everything was sent over other connections meanwhile, and they are closed.
      if (this.#isClosing && this.#pending === 0) void connection.close()
    } catch (error) {
      if (error instanceof SmtpHandshakeError) this.#lastFailure = error.outcome
      else this.#lastFailure = lostOutcome(String(error), 'connect', false)
      this.#coolUntil = performance.now() + this.#coolDown
    }
    this.#opening--
    this.#dispatch()
  }

  async #watch(connection: SmtpConnection): Promise<void> {
    await connection.ended
    this.#connections.delete(connection)
    this.#dispatch()
  }

  /** With no connection left, messages are deferred: the caller decides when to retry. */
  #giveUpWithoutConnection(): void {
    if (this.#connections.size > 0 || this.#opening > 0) return
    for (const delivery of this.#waiting.splice(0)) delivery.settle(this.#lastFailure)
  }
}

function isUnsent({ outcome, phase, code, class: reason }: SmtpOutcome): boolean {
  return outcome === 'deferred' && (phase === 'connect' || (code === null && reason === 'connection'))
}
