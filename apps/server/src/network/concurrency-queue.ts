import { EmmaError } from '@emma/contract/errors.ts'
import { PlaceLimit } from './concurrency-limit.ts'

export interface PlaceQueueLimits {
  /** Places in all, and of one key. */
  total: number
  perKey: number
  /** Pieces of work of one key that wait, and how long one waits. */
  waitingPerKey: number
  waitMs: number
}

interface Waiting {
  key: string
  begin(release: () => void): void
}

/** Work that waits for a place, first come first served; one key's work keeps that of another waiting no longer. */
export class PlaceQueue {
  readonly #limits: PlaceQueueLimits
  readonly #places: PlaceLimit
  readonly #queue: Waiting[] = []

  constructor(limits: PlaceQueueLimits) {
    this.#limits = limits
    this.#places = new PlaceLimit(limits)
  }

  /**
   * Runs work when its key and all together have a place for it.
   *
   * @throws EmmaError `busy` where too many wait already, or it waited too long; the work is not begun then
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

  /** The first whose key has a place: those behind a busy key do not wait for it. */
  #next(): void {
    for (const waiting of this.#queue) {
      const release = this.#places.take(waiting.key)
      if (!release) continue
      this.#queue.splice(this.#queue.indexOf(waiting), 1)
      return waiting.begin(release)
    }
  }
}
