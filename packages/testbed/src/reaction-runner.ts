import { setTimeout as delay } from 'node:timers/promises'
import { createPerformer, type PerformerOptions } from './perform-reaction.ts'
import type { DueReaction } from './reaction-queue.ts'

export interface ReactionRunner {
  /** Number of running reactions. */
  running: () => number
  /** Starts no more and waits for running ones. */
  stop: () => Promise<void>
}

/**
 * Runs due reactions: at most `concurrency` at a time, at most `perSecond` steps (a message read, a request made).
 */
export function startReactionRunner(
  options: Omit<PerformerOptions, 'pace'> & {
    perSecond: number
    concurrency: number
    onError: (error: Error) => void
  },
): ReactionRunner {
  const pacer = createPacer(options.perSecond)
  const performer = createPerformer({ ...options, pace: pacer.next })
  const running = new Set<Promise<void>>()
  let isStopping = false
  const timer = setInterval(startDue, TICK)

  return {
    running: () => running.size,
    async stop() {
      isStopping = true
      clearInterval(timer)
      pacer.stop()
      const finished = Promise.all(running).then(() => performer.close())
      await Promise.race([finished, delay(DRAIN_TIME, undefined, { ref: false })])
    },
  }

  function startDue(): void {
    const free = options.concurrency - running.size
    if (isStopping || free <= 0 || options.queue.pending() === 0) return
    try {
      for (const reaction of options.queue.takeDue(free)) {
        const work = perform(reaction).finally(() => {
          running.delete(work)
          startDue()
        })
        running.add(work)
      }
    } catch (error) {
      options.onError(toError(error))
    }
  }

  /** A reaction that fails by itself (an unreadable message) would fail again: it is dropped and reported. */
  async function perform(reaction: DueReaction): Promise<void> {
    try {
      await performer.perform(reaction)
    } catch (error) {
      options.onError(toError(error))
      await options.queue.remove(reaction).catch((failure: unknown) => options.onError(toError(failure)))
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

const TICK = 50
/** Milliseconds after which hanging visits are aborted; messages of servers stay queued for the next start. */
const DRAIN_TIME = 8000

/** Grants permissions at even intervals. */
function createPacer(perSecond: number): { next: () => Promise<boolean>; stop: () => void } {
  const stopping = new AbortController()
  let nextAt = 0
  return {
    async next() {
      const now = performance.now()
      const slot = Math.max(now, nextAt)
      nextAt = slot + 1000 / perSecond
      // Timers have a resolution of a millisecond; shorter waits are averaged over the following ones.
      if (slot - now >= 1) await delay(slot - now, null, { signal: stopping.signal }).catch(() => {})
      return !stopping.signal.aborted
    },
    stop: () => stopping.abort(),
  }
}
