/** An instant of a day (`YYYY-MM-DD`) that has the same date in nearly all time zones, to format the day. */
export function dayInstant(day: string): string {
  return `${day}T12:00:00Z`
}
