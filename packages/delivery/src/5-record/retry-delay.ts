const MINUTE = 60
const FIRST = 5 * MINUTE
const LONGEST = 12 * 60 * MINUTE
const LIMIT = 48 * 60 * MINUTE

/**
 * Returns the seconds until a deferred message is retried: 5 minutes after the first attempt, doubled each time, at
 * most 12 hours (domain.md 2A). Null if that is more than 48 hours after the first attempt: the message is given up.
 * @param attempts made so far, at least 1
 */
export function retryDelay(attempts: number): number | null {
  let waited = 0
  let delay = FIRST
  for (let attempt = 1; attempt < attempts; attempt++) {
    waited += delay
    delay = Math.min(LONGEST, delay * 2)
  }
  return waited + delay > LIMIT ? null : delay
}
