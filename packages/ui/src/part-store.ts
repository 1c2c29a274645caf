import { retryImport } from './retry-import.ts'

/** State of lazily loaded code. */
export interface PartState<T> {
  part: T | null
  /** Without a part: loading, failed, or retried by the user. */
  stage: 'coming' | 'missing' | 'retried'
}

export interface PartStore<T> {
  get: () => PartState<T>
  /** Loads the code, with retries while there is a subscriber. */
  subscribe: (listener: () => void) => () => void
  /** Loads the code in advance, without retries. */
  prefetch: () => void
  /** Retries at once instead of after the delay. */
  retry: () => void
}

/** Store of lazily loaded code, shared by all components that show it. Retries stop while there is no subscriber. */
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
      // No subscriber is left.
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
        // The next subscriber tries again.
        () => {},
      )
    },
    retry() {
      change({ part: null, stage: 'retried' })
      void begin()
    },
  }
}
