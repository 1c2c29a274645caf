/** Most attempts of a call; the last one is about a day after the first. */
export const mostAttempts = 8

/**
 * Seconds until the next attempt after `failures` failed ones: 10 s, 43 s, 3 min, 13 min, 57 min, 4 h, 18 h, each with
 * a jitter of ±20 %. Null: no more attempts. A longer `Retry-After` of the receiver is respected, up to a day.
 *
 * @param chance random number from 0 to 1
 * @param retryAfter seconds
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
