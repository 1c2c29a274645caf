/** Gives permission at a steady rate, with a burst of at most one second's worth. */
export interface TokenBucket {
  /** True when one more is within the rate now. */
  take: (now: number) => boolean
}

/** A bucket of `perSecond` tokens a second (fractions allowed), full at first. `now` is in milliseconds. */
export function createTokenBucket(perSecond: number): TokenBucket {
  const size = Math.max(1, perSecond)
  let tokens = size
  let filledAt: number | null = null
  return {
    take(now) {
      // A clock that jumps back must neither drain nor stop the bucket.
      const elapsed = filledAt === null ? 0 : Math.max(0, now - filledAt)
      filledAt = now
      tokens = Math.min(size, tokens + (elapsed * perSecond) / 1000)
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}
