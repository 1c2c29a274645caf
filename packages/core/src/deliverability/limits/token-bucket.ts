import { secondsPerUnit } from '@emma/contract/resources/mailclass.ts'

/**
 * A named limit shared by all engines: messages per second, per day, or per window of some seconds, which begins with
 * its first message.
 */
export type TokenBucket =
  | { name: string; perSecond: number }
  | { name: string; volume: number }
  | { name: string; volume: number; seconds: number }

/**
 * A bucket holds the messages of one second plus one: a delayed engine catches up on no more than that, and one that
 * is slightly late for a single message loses nothing.
 */
export const BUCKET_SECONDS = 1

/** A rate as entered by users. */
export interface Rate {
  mails: number
  unit: string
}

/** Seconds of a unit as stored. */
export function secondsOf(unit: string): number {
  const seconds: Readonly<Record<string, number>> = secondsPerUnit
  return seconds[unit] ?? secondsPerUnit.hour
}

/** Converts to messages per second. */
export function ratePerSecond({ mails, unit }: Rate): number {
  return mails / secondsOf(unit)
}

/** Returns the bucket of a rate; empty without limit. */
export function bucketsOf(name: string, rate: Rate): TokenBucket[] {
  return rate.mails > 0 ? [{ name, perSecond: ratePerSecond(rate) }] : []
}
