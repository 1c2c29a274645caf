/** Token bucket with a burst of at most one second. */
export interface TokenBucket {
  /** True if one more is within the rate. */
  take: (now: number) => boolean
}

/** Creates a bucket of `perSecond` tokens (fractions allowed), initially full. `now` is in milliseconds. */
export function createTokenBucket(perSecond: number): TokenBucket {
  const size = Math.max(1, perSecond)
  let tokens = size
  let filledAt: number | null = null
  return {
    take(now) {
      // A clock that is set back must neither drain nor block the bucket.
      const elapsed = filledAt === null ? 0 : Math.max(0, now - filledAt)
      filledAt = now
      tokens = Math.min(size, tokens + (elapsed * perSecond) / 1000)
      if (tokens < 1) return false
      tokens--
      return true
    },
  }
}
