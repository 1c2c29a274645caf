import { ruleParts } from '@emma/contract/recurring/schedule.ts'

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]

export const units = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type Unit = (typeof units)[number]

/** Positions of a weekday in its month; -1: the last one. */
export const positions = [1, 2, 3, 4, -1] as const

/** What the schedule builder can say; a recurrence rule can say more. */
export interface Repeat {
  unit: Unit
  /** Every so many days, weeks, months or years. */
  every: number
  /** Days of the week of a weekly rule, in their order; at least one. */
  days: readonly Weekday[]
  /** Of a monthly or yearly rule: the day of the month (-1: the last one), or a weekday of the month. */
  on: { day: number } | { position: number; weekday: Weekday }
  /** Month of a yearly rule. */
  month: number
}

/** Converts a recurrence rule to what the builder shows; null if it says more than that. */
export function repeatOf(rrule: string): Repeat | null {
  const parts = ruleParts(rrule)
  if (!parts) return null
  const { FREQ, INTERVAL = '1', BYDAY, BYMONTHDAY, BYMONTH, ...others } = Object.fromEntries(parts)
  const unit = units.find(each => each === FREQ)
  if (!unit || Object.keys(others).length > 0) return null
  const on = dayOf(BYDAY, BYMONTHDAY)
  const days = weekdays.filter(day => BYDAY?.split(',').includes(day))
  const repeat = { unit, every: Number(INTERVAL), days, on: on ?? { day: 1 }, month: Number(BYMONTH ?? 1) }
  return ruleOf(repeat) === canonical(rrule) ? repeat : null
}

function dayOf(byDay: string | undefined, byMonthDay: string | undefined): Repeat['on'] | null {
  if (byMonthDay) return { day: Number(byMonthDay) }
  const [, position, name] = /^(-?\d)([A-Z]{2})$/.exec(byDay ?? '') ?? []
  const weekday = weekdays.find(each => each === name)
  return weekday ? { position: Number(position), weekday } : null
}

/** The recurrence rule of a repeat. */
export function ruleOf({ unit, every, days, on, month }: Repeat): string {
  const base = every === 1 ? `FREQ=${unit}` : `FREQ=${unit};INTERVAL=${every}`
  const day = 'day' in on ? `BYMONTHDAY=${on.day}` : `BYDAY=${on.position}${on.weekday}`
  switch (unit) {
    case 'DAILY':
      return base
    case 'WEEKLY':
      return `${base};BYDAY=${weekdays.filter(each => days.includes(each)).join(',')}`
    case 'MONTHLY':
      return `${base};${day}`
    case 'YEARLY':
      return `${base};BYMONTH=${month};${day}`
  }
}

const order = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY']

/** The rule as ruleOf writes it, if it says the same. */
function canonical(rrule: string): string {
  return [...(ruleParts(rrule) ?? [])]
    .filter(([name, value]) => name !== 'INTERVAL' || value !== '1')
    .toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([name, value]) => `${name}=${name === 'BYDAY' ? inOrder(value) : value}`)
    .join(';')
}

function inOrder(days: string): string {
  const names = days.split(',')
  const sorted = weekdays.filter(day => names.includes(day))
  return sorted.length === names.length ? sorted.join(',') : days
}
