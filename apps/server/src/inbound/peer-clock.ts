/** Time that a peer takes. Stands still while this server works for it, so that nobody is ended for our own slowness. */
export class PeerClock {
  readonly #limitMs: number
  readonly #onExpire: () => void
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | null = null

  /** @param limitMs what the peer has in all, from one reset to the next */
  constructor(limitMs: number, onExpire: () => void) {
    this.#limitMs = limitMs
    this.#leftMs = limitMs
    this.#onExpire = onExpire
  }

  /** The peer's turn, with what it has left. */
  start(): void {
    if (this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onExpire, this.#leftMs).unref()
  }

  /** Our turn, or the end of the connection. */
  stop(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = null
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt))
  }

  /** The peer has all of its time again. */
  reset(): void {
    this.stop()
    this.#leftMs = this.#limitMs
    this.start()
  }
}
