import { z } from 'zod'

/**
 * Learned send time of a campaign: members with enough opens and clicks get it at their best hour, the others at a random
 * one, and a control group at the campaign's own time.
 */
export const learnedTime = z.object({
  /** Percent of the recipients in the control group. */
  control_percent: z.int().min(5).max(50).default(10),
  /** Percent of the members with a best hour who get it at a random hour all the same, as habits change. */
  explore_percent: z.int().min(0).max(50).default(10),
  /** Opens and clicks that a best hour requires. */
  min_observations: z.int().min(3).max(50).default(5),
})

export type LearnedTime = z.output<typeof learnedTime>

/** Days after which an open or click counts half. */
export const HALF_LIFE_DAYS = 90

/** Longest time in hours from the campaign's own time to the learned one. */
export const LEARNED_WINDOW_HOURS = 24

/** `known`: with enough observations; those of `focus` always have. */
export const timeGroups = ['control', 'control_known', 'explore', 'explore_known', 'focus'] as const

export type TimeGroup = (typeof timeGroups)[number]

/** Members of an audience, and those of them with enough observations by best hour: 24 numbers. */
export interface KnownHours {
  total: number
  by_hour: readonly number[]
}

/** Expected emails by group, and by hour of the day in the recipient's time zone; the control group has its own time. */
export interface ExpectedTimes {
  known: number
  control: number
  explore: number
  focus: number
  by_hour: { focus: number[]; explore: number[] }
}

/** What the expansion does with an audience (delivery's learned-hours.ts), on average. */
export function expectTimes(
  { control_percent, explore_percent }: LearnedTime,
  { total, by_hour }: KnownHours,
  quiet: QuietHours | null,
): ExpectedTimes {
  const known = by_hour.reduce((sum, count) => sum + count, 0)
  const learned = 1 - control_percent / 100
  const focused = learned * (1 - explore_percent / 100)
  const explore = (total - known) * learned + known * (learned - focused)
  const hours = by_hour.map((_, hour) => hour)
  const open = hours.filter(hour => !isQuietHour(hour, quiet))
  const explored = new Set(open.length > 0 ? open : hours)
  const focus = hours.map(() => 0)
  for (const [hour, count] of by_hour.entries()) {
    const at = isQuietHour(hour, quiet) && quiet ? Number(quiet.to.slice(0, 2)) : hour
    focus[at] = (focus[at] ?? 0) + count * focused
  }
  return {
    known,
    control: total * (control_percent / 100),
    explore,
    focus: known * focused,
    by_hour: { focus, explore: hours.map(hour => (explored.has(hour) ? explore / explored.size : 0)) },
  }
}

/** Times of day, such as 22:00 and 07:00. */
export interface QuietHours {
  from: string
  to: string
}

function isQuietHour(hour: number, quiet: QuietHours | null): boolean {
  if (!quiet) return false
  const [from, to, at] = [minuteOf(quiet.from), minuteOf(quiet.to), hour * 60]
  return from <= to ? at >= from && at < to : at >= from || at < to
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}
