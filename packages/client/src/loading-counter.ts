/** Counts running calls, never below zero (R018). */
export interface LoadingCounter {
  begin(): void
  end(): void
  count(): number
  /** Calls `listener` after every change; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

export function createLoadingCounter(): LoadingCounter {
  let pending = 0
  const listeners = new Set<() => void>()
  function change(by: number): void {
    pending = Math.max(0, pending + by)
    for (const listener of listeners) listener()
  }
  return {
    begin: () => change(1),
    end: () => change(-1),
    count: () => pending,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
