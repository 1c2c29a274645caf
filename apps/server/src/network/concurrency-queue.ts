import { EmmaError } from '@emma/contract/errors.ts'
import { PlaceLimit } from './concurrency-limit.ts'

export interface PlaceQueueLimits {
  /** Concurrency in total, and per key. */
  total: number
  perKey: number
  /** Waiting tasks per key, and the maximum waiting time of one. */
  waitingPerKey: number
  waitMs: number
}

interface Waiting {
  key: string
  begin(release: () => void): void
}

/**
 * Queues tasks under a concurrency limit, first come first served; tasks of one key do not delay those of another.
 */
export class PlaceQueue {
  readonly #limits: PlaceQueueLimits
  readonly #places: PlaceLimit
  readonly #queue: Waiting[] = []

  constructor(limits: PlaceQueueLimits) {
    this.#limits = limits
    this.#places = new PlaceLimit(limits)
  }

  /**
   * Runs a task when the limits of its key and in total allow it.
   * @throws EmmaError `busy` if too many wait already, or it waited too long; the task is not started then
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = this.#places.take(key) ?? (await this.#waitFor(key))
    try {
      return await work()
    } finally {
      release()
      this.#next()
    }
  }

  #waitFor(key: string): Promise<() => void> {
    const others = this.#queue.filter(waiting => waiting.key === key).length
    if (others >= this.#limits.waitingPerKey) throw new EmmaError('busy')
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        key,
        begin(release) {
          clearTimeout(timer)
          resolve(release)
        },
      }
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        reject(new EmmaError('busy'))
      }, this.#limits.waitMs)
      this.#queue.push(waiting)
    })
  }

  /** The first task whose key has room: those behind a busy key do not wait for it. */
  #next(): void {
    for (const waiting of this.#queue) {
      const release = this.#places.take(waiting.key)
      if (!release) continue
      this.#queue.splice(this.#queue.indexOf(waiting), 1)
      return waiting.begin(release)
    }
  }
}
