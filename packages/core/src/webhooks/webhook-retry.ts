/** A call is tried so often, then given up: the last time about a day after the first. */
export const mostAttempts = 8

/**
 * Seconds until the next attempt after `failures` failed ones: 10 s, 43 s, 3 min, 13 min, 57 min, 4 h, 18 h, each a fifth
 * more or less by chance, so that what failed together does not come back together. Null: give up. What the receiver
 * asks for (`Retry-After`) is heeded when it is longer, up to a day.
 *
 * @param chance a number from 0 to 1
 */
export function webhookDelay(
  failures: number,
  chance = Math.random(),
  retryAfter: number | null = null,
): number | null {
  if (failures >= mostAttempts) return null
  const seconds = 10 * 4.3 ** (failures - 1) * (0.8 + 0.4 * chance)
  return Math.round(Math.max(seconds, Math.min(retryAfter ?? 0, 86_400)))
}
