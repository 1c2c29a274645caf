import { retryImport } from './retry-import.ts'

/** A piece of code that is fetched when it is shown. */
export interface PartState<T> {
  part: T | null
  /** While it is not here: on its way, could not be had, or asked for once more by the person. */
  stage: 'coming' | 'missing' | 'retried'
}

export interface PartStore<T> {
  get: () => PartState<T>
  /** Fetches it for as long as somebody listens. */
  subscribe: (listener: () => void) => () => void
  /** Asks once, in advance. */
  prefetch: () => void
  /** Asks at once, rather than when it is time. */
  retry: () => void
}

/** Holds a piece of code for all who show it: they wait together, and nobody asks when none of them is there. */
export function createPartStore<T>(fetch: () => Promise<T>): PartStore<T> {
  let state: PartState<T> = { part: null, stage: 'coming' }
  let attempts: AbortController | null = null
  const listeners = new Set<() => void>()

  function change(next: PartState<T>): void {
    state = next
    for (const listener of listeners) listener()
  }

  async function begin(): Promise<void> {
    attempts?.abort()
    attempts = new AbortController()
    const { signal } = attempts
    const onMiss = () => signal.aborted || change({ part: null, stage: 'missing' })
    try {
      change({ part: await retryImport(fetch, { signal, onError: onMiss }), stage: 'coming' })
    } catch {
      // Nobody waits for it any more.
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      if (state.part === null && attempts === null) void begin()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        attempts?.abort()
        attempts = null
      }
    },
    prefetch() {
      fetch().then(
        part => change({ part, stage: 'coming' }),
        // Whoever shows it asks again.
        () => {},
      )
    },
    retry() {
      change({ part: null, stage: 'retried' })
      void begin()
    },
  }
}
