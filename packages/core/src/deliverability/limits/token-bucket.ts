/**
 * A named limit shared by all engines: messages per second, per day, or per window of some seconds, which begins with
 * its first message.
 */
export type TokenBucket =
  | { name: string; perSecond: number }
  | { name: string; volume: number }
  | { name: string; volume: number; seconds: number }

/** A rate as entered by users. */
export interface Rate {
  mails: number
  unit: string
}

const SECONDS: Record<string, number> = { minute: 60, hour: 3600, day: 86_400 }

/** Seconds of a unit. */
export function secondsOf(unit: string): number {
  return SECONDS[unit] ?? SECONDS.hour ?? 3600
}

/** Converts to messages per second. */
export function ratePerSecond({ mails, unit }: Rate): number {
  return mails / secondsOf(unit)
}

/** Returns the bucket of a rate; empty without limit. */
export function bucketsOf(name: string, rate: Rate): TokenBucket[] {
  return rate.mails > 0 ? [{ name, perSecond: ratePerSecond(rate) }] : []
}
