/** Time used by a peer. Paused while this server works, so that its own delays do not count. */
export class PeerClock {
  readonly #limitMs: number
  readonly #onExpire: () => void
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | null = null

  /** @param limitMs total time of the peer between two resets */
  constructor(limitMs: number, onExpire: () => void) {
    this.#limitMs = limitMs
    this.#leftMs = limitMs
    this.#onExpire = onExpire
  }

  /** Starts the peer's time with what it has left. */
  start(): void {
    if (this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onExpire, this.#leftMs).unref()
  }

  /** Pauses while the server works, or ends with the connection. */
  stop(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = null
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#startedAt))
  }

  /** Restores the full time. */
  reset(): void {
    this.stop()
    this.#leftMs = this.#limitMs
    this.start()
  }
}
