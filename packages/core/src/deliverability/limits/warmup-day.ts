/** The current day of a warm-up. */
export interface WarmupDay {
  /** By the client's calendar, ISO 8601. */
  warmup_date: string
  /** Days since it began, in the client's time zone; null: not warming up. */
  warmup_day: number | null
  warmup_volumes: readonly number[]
}

/** Name of a warm-up's buckets; there is one per day. */
export function warmupName(what: 'mailclass' | 'domain', clientId: number, id: number | null): string {
  return `${what === 'mailclass' ? 'warm-up' : what} ${clientId}/${id}`
}

/**
 * The bucket of today, until the warm-up ends; days before the first one have its volume. Named by date: restarting a
 * warm-up gives new buckets.
 */
export function warmupOf(
  name: string,
  { warmup_date: date, warmup_day: day, warmup_volumes: volumes }: WarmupDay,
): { name: string; volume: number } | null {
  if (day === null) return null
  const volume = volumes[Math.max(0, day)]
  return volume === undefined ? null : { name: `${name} on ${date}`, volume }
}
