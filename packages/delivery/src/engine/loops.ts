import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineLogger } from './engine-logger.ts'

/** Background loops of an engine; they end when it stops. */
export class Loops {
  readonly #logger: EngineLogger
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>[] = []

  constructor(logger: EngineLogger) {
    this.#logger = logger
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Repeats a task. Failures are retried: usually the database is temporarily unavailable. */
  start(what: string, pauseMs: number, work: () => Promise<void>): void {
    this.#running.push(this.#repeat(what, pauseMs, work))
  }

  async #repeat(what: string, pauseMs: number, work: () => Promise<void>): Promise<void> {
    let failures = 0
    while (!this.isStopping) {
      try {
        await work()
        failures = 0
        if (pauseMs > 0) await this.rest(pauseMs)
      } catch (error) {
        failures++
        if (failures === 1) this.#logger.error({ err: error }, `The engine could not ${what}; retrying`)
        await this.rest(Math.min(5_000, 200 * 2 ** failures))
      }
    }
  }

  /** Waits; ends at once when the engine stops. */
  async rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  /** Starts no iteration any more. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running)
  }
}
