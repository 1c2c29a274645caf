import { fromZoneText, toZoneText } from '../form/zoned-time.ts'

/** A date as `YYYY-MM-DD`: independent of time zones, comparable, and usable as a key. */
export type Day = string

export type CalendarView = 'month' | 'week' | 'list'

/** 0 Sunday, 1 Monday. */
export type FirstDay = 0 | 1

export function addDays(day: Day, days: number): Day {
  return dayOf(new Date(noon(day).getTime() + days * 86_400_000))
}

/** The same day of another month, or its last day if that month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0, 12))
  return dayOf(
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate()), 12)),
  )
}

/** The seven days of the week that contains a day. */
export function weekOf(day: Day, first: FirstDay): Day[] {
  const start = addDays(day, -((noon(day).getUTCDay() - first + 7) % 7))
  return Array.from({ length: 7 }, (_, index) => addDays(start, index))
}

/** The whole weeks that contain the month of a day. */
export function weeksOfMonth(day: Day, first: FirstDay): Day[][] {
  const begin = `${day.slice(0, 7)}-01`
  const end = addDays(addMonths(begin, 1), -1)
  const weeks: Day[][] = []
  for (
    let week = weekOf(begin, first);
    (week[0] ?? end) <= end;
    week = weekOf(addDays(week[0] ?? end, 7), first)
  ) {
    weeks.push(week)
  }
  return weeks
}

/** First and last day that a view shows, both included. */
export function periodOf(view: CalendarView, day: Day, first: FirstDay): { from: Day; to: Day } {
  if (view === 'list') {
    const begin = `${day.slice(0, 7)}-01`
    return { from: begin, to: addDays(addMonths(begin, 1), -1) }
  }
  const days = view === 'week' ? weekOf(day, first) : weeksOfMonth(day, first).flat()
  return { from: days[0] ?? day, to: days.at(-1) ?? day }
}

/** The period as instants in a time zone, for filters: `from` included, `to` excluded. */
export function instantsOf(
  period: { from: Day; to: Day },
  timeZone: string | undefined,
): { from: string; to: string } {
  const instant = (day: Day) => fromZoneText(`${day} 00:00:00`, timeZone) ?? `${day}T00:00:00.000Z`
  return { from: instant(period.from), to: instant(addDays(period.to, 1)) }
}

/** The instant after a move to another day and, optionally, another hour; minutes are kept. */
export function movedStart(
  start: string,
  to: { day: Day; hour?: number | undefined },
  timeZone: string | undefined,
): string {
  const [, time = '00:00:00'] = (toZoneText(start, timeZone) ?? '').split(' ')
  const hour = to.hour === undefined ? time.slice(0, 2) : String(to.hour).padStart(2, '0')
  return fromZoneText(`${to.day} ${hour}${time.slice(2)}`, timeZone) ?? start
}

/** Local day and hour of an instant in a time zone. */
export function placeOf(start: string, timeZone: string | undefined): { day: Day; hour: number } {
  const text = toZoneText(start, timeZone) ?? ''
  return { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) }
}

/** Noon of a day in UTC, for formatting the day. */
export function noon(day: Day): Date {
  return new Date(`${day}T12:00:00Z`)
}

function dayOf(date: Date): Day {
  return date.toISOString().slice(0, 10)
}
