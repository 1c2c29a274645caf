import { CACHES_CHANGED } from '@emma/core/resource/tell-caches.ts'
import { subscribe } from '@emma/db/notify.ts'
import type { Logger } from '../logger.ts'

/** Maximum entries per kind; beyond, the cache is cleared. */
const most = 10_000

/** A cache of one kind of results, by key. */
export interface KeyedCache<T> {
  /** Returns the cached result, or calls `read` and caches its result. */
  get(key: string, read: () => Promise<T>): Promise<T>
}

export interface ResponseCaches {
  create<T>(): KeyedCache<T>
  /** Clears everything, including results that are being read. */
  clear(): void
  stop(): Promise<void>
}

/**
 * Caches results that nearly every call needs. Writers notify at once (tell-caches.ts, and triggers of platform-wide
 * tables); without a connection for notifications, nothing is cached.
 * @param seconds maximum age of a result; 0 disables the cache
 */
export async function openResponseCaches(
  databaseUrl: string,
  seconds: number,
  logger: Logger,
): Promise<ResponseCaches> {
  const clears: (() => void)[] = []
  let epoch = 0
  let isTold = seconds > 0
  const clear = () => {
    epoch += 1
    for (const each of clears) each()
  }
  const subscription = isTold
    ? await subscribe(
        databaseUrl,
        push => {
          if (push.type === CACHES_CHANGED) clear()
        },
        {
          onBreak() {
            isTold = false
            clear()
          },
          onGap() {
            clear()
            isTold = true
          },
          onError: error =>
            logger.warn(
              { err: error },
              'the cache is disabled until database notifications are available again',
            ),
        },
      )
    : null

  return {
    create<T>(): KeyedCache<T> {
      const answers = new Map<string, { answer: T; until: number }>()
      clears.push(() => answers.clear())
      return {
        async get(key, read) {
          const found = answers.get(key)
          if (found && found.until > Date.now()) return found.answer
          const began = epoch
          const answer = await read()
          if (!isTold || began !== epoch) return answer
          if (answers.size >= most) answers.clear()
          answers.set(key, { answer, until: Date.now() + seconds * 1000 })
          return answer
        },
      }
    },
    clear,
    async stop() {
      await subscription?.stop()
    },
  }
}
