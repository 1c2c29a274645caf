import { CACHES_CHANGED } from '@emma/core/resource/tell-caches.ts'
import { subscribe } from '@emma/db/notify.ts'
import type { Logger } from '../logger.ts'

/** Answers kept at most of a kind; beyond, all are read anew. */
const most = 10_000

/** Answers of one kind, by a key. */
export interface Kept<T> {
  /** The kept answer, or the one of `read`, which is kept then. */
  get(key: string, read: () => Promise<T>): Promise<T>
}

export interface KeptAnswers {
  keep<T>(): Kept<T>
  /** Forgets everything, also what is being read right now. */
  clear(): void
  stop(): Promise<void>
}

/**
 * Keeps what nearly every call asks the database for. Whoever changes something of it tells at once (tell-caches.ts, and
 * triggers of platform-wide tables); while nothing can be heard (a broken connection), nothing is kept.
 *
 * @param seconds that an answer is kept at most; 0 keeps none
 */
export async function openKeptAnswers(
  databaseUrl: string,
  seconds: number,
  logger: Logger,
): Promise<KeptAnswers> {
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
            logger.warn({ err: error }, 'nothing is kept until news of the database come again'),
        },
      )
    : null

  return {
    keep<T>(): Kept<T> {
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
