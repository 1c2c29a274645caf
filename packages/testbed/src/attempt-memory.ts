/** When a key was first seen and how often, for greylisting and deferrals. */
export interface Attempts {
  /** Milliseconds since the epoch. */
  firstAt: number
  count: number
}

/**
 * Stores attempts of at most `limit` keys: the oldest are evicted first, whose senders are then deferred once more.
 */
export function createAttemptMemory(limit: number): { note: (key: string, now: number) => Attempts } {
  const seen = new Map<string, Attempts>()
  return {
    note(key, now) {
      const known = seen.get(key)
      if (known) {
        known.count++
        return known
      }
      const first = { firstAt: now, count: 1 }
      seen.set(key, first)
      if (seen.size > limit) {
        const [oldest] = seen.keys()
        if (oldest !== undefined) seen.delete(oldest)
      }
      return first
    },
  }
}
