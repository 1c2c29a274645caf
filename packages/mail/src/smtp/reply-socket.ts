import type { Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { ReplyParser, SmtpProtocolError, type SmtpReply } from './reply.ts'

/** Reason why a session ended prematurely; the message is shown to users. */
export class SmtpConnectionError extends Error {
  override name = 'SmtpConnectionError'
}

/**
 * A socket that parses SMTP replies. An expected reply must be complete in time: occasional single bytes do not keep
 * the session open.
 */
export class ReplySocket {
  /** Called for every reply, in order. */
  onReply: (reply: SmtpReply) => void = () => {}
  /** Called once, when the socket is no longer usable. */
  onEnd: (error: SmtpConnectionError) => void = () => {}

  #socket: Socket
  readonly #parser = new ReplyParser()
  #deadline = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  #firesAt = 0
  #ended = false

  constructor(socket: Socket) {
    this.#socket = socket
    this.#listen(socket)
  }

  get isOpen(): boolean {
    return !this.#ended
  }

  write(...parts: (string | Buffer)[]): void {
    if (this.#ended) return
    const socket = this.#socket
    socket.cork()
    for (const part of parts) socket.write(part)
    socket.uncork()
  }

  /** Sets the deadline of the next reply in milliseconds from now; Infinity if none is expected. */
  await(milliseconds: number): void {
    this.#deadline = performance.now() + milliseconds
    if (milliseconds === Number.POSITIVE_INFINITY) return
    // Rearming one timer when it fires is cheaper than a new one per reply.
    if (this.#timer === null || this.#firesAt > this.#deadline) this.#arm(milliseconds)
  }

  /**
   * Continues under TLS; bytes received before are discarded (RFC 3207, 5). `checkPeer` returns what is wrong with
   * the peer, or null.
   */
  startTls(options: ConnectionOptions, checkPeer?: (socket: TLSSocket) => string | null): Promise<void> {
    const plain = this.#socket
    for (const event of ['data', 'end', 'close', 'error']) plain.removeAllListeners(event)
    // The TLS socket reports errors of the socket below.
    plain.on('error', () => {})
    this.#parser.reset()
    return new Promise((resolve, reject) => {
      this.onEnd = reject
      const secured = connectTls({ ...options, socket: plain }, () => {
        const fault = checkPeer?.(secured) ?? null
        if (fault === null) resolve()
        else reject(new SmtpConnectionError(fault))
      })
      this.#socket = secured
      this.#listen(secured)
    })
  }

  end(error = new SmtpConnectionError('The connection was closed.')): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#socket.destroy()
    this.onEnd(error)
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', error => this.end(new SmtpConnectionError(`The connection failed: ${error.message}`)))
    socket.on('end', () => this.end(new SmtpConnectionError('The server closed the connection.')))
    socket.on('close', () => this.end(new SmtpConnectionError('The server closed the connection.')))
  }

  #read(chunk: Buffer): void {
    try {
      this.#parser.push(chunk, reply => {
        if (!this.#ended) this.onReply(reply)
      })
    } catch (error) {
      if (!(error instanceof SmtpProtocolError)) throw error
      this.end(new SmtpConnectionError(error.message))
    }
  }

  #arm(milliseconds: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#firesAt = performance.now() + milliseconds
    this.#timer = setTimeout(() => {
      const left = this.#deadline - performance.now()
      this.#timer = null
      if (left <= 0) this.end(new SmtpConnectionError('The server took too long to answer.'))
      else if (left !== Number.POSITIVE_INFINITY) this.#arm(left)
    }, milliseconds)
  }
}
