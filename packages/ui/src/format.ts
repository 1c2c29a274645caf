import { clockOf } from './clock.ts'
import { once } from './once.ts'

/** An instant: ISO 8601 as in the API, milliseconds, or a Date. */
export type Moment = string | number | Date

/** Formats numbers and times in the user's locale. Missing or invalid values are shown as a dash. */
export interface Format {
  number: (value: number | null | undefined, decimals?: number) => string
  /** 1,234,567 → 1.2M */
  compact: (value: number | null | undefined) => string
  /** 0.254 → 25.4 %; only exactly 1 is 100 % and only exactly 0 is 0 %: 0.9999 → > 99.9 % */
  percent: (share: number | null | undefined, decimals?: number) => string
  date: (moment: Moment | null | undefined) => string
  dateTime: (moment: Moment | null | undefined) => string
  time: (moment: Moment | null | undefined) => string
  /** With seconds. */
  exactTime: (moment: Moment | null | undefined) => string
  /** Without the year, for axes: "Nov 19". */
  day: (moment: Moment | null | undefined) => string
  /** "Nov 19, 6:00 PM" */
  dayTime: (moment: Moment | null | undefined) => string
  /** "3 minutes ago", "in 2 days"; a date beyond 30 days. */
  relative: (moment: Moment | null | undefined, now?: Date) => string
  bytes: (value: number | null | undefined) => string
  /** Seconds → "2 h 5 min". */
  duration: (seconds: number | null | undefined) => string
  list: (items: readonly string[], kind?: 'and' | 'or') => string
}

const dash = '–'

/**
 * Creates each format of Intl when it is first used: all of them take 15 ms, and 60 ms on a slow machine.
 *
 * @param locale language with or without a region, from `localeOf`
 */
export function createFormat(locale: string, timeZone: string | undefined): Format {
  const zone = once(() => ({
    ...(timeZone === undefined ? {} : { timeZone }),
    ...clockOf(locale, timeZone),
  }))
  const inZone = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, { ...options, ...zone() }))
  const dates = inZone({ dateStyle: 'medium' })
  const dateTimes = inZone({ dateStyle: 'medium', timeStyle: 'short' })
  const times = inZone({ timeStyle: 'short' })
  const exactTimes = inZone({ timeStyle: 'medium' })
  const days = inZone({ month: 'short', day: 'numeric' })
  const dayTimes = inZone({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  const whole = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }))
  const compact = once(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }))
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const number = (value: number | null | undefined, decimals?: number) => {
    if (!isNumber(value)) return dash
    if (decimals === undefined) return whole().format(value)
    return decimalFormat(locale, decimals, 'decimal').format(value)
  }
  return {
    number,
    compact: value => (isNumber(value) ? compact().format(value) : dash),
    percent: (share, decimals = 1) =>
      isNumber(share) ? formatPercent(share, decimals, decimalFormat(locale, decimals, 'percent')) : dash,
    date: moment => show(dates, moment),
    dateTime: moment => show(dateTimes, moment),
    time: moment => show(times, moment),
    exactTime: moment => show(exactTimes, moment),
    day: moment => show(days, moment),
    dayTime: moment => show(dayTimes, moment),
    relative: (moment, now = new Date()) => {
      const date = asDate(moment)
      if (!date) return dash
      const seconds = (date.getTime() - now.getTime()) / 1000
      if (Math.abs(seconds) >= 30 * day) return dates().format(date)
      const [unit, size] = relativeUnit(Math.abs(seconds))
      return relative().format(Math.trunc(seconds / size), unit)
    },
    bytes: value => (isNumber(value) ? formatBytes(value, number) : dash),
    duration: seconds => (isNumber(seconds) ? formatDuration(seconds) : dash),
    list: (items, kind = 'and') =>
      new Intl.ListFormat(locale, { type: kind === 'and' ? 'conjunction' : 'disjunction' }).format(items),
  }
}

function show(formatter: () => Intl.DateTimeFormat, moment: Moment | null | undefined): string {
  const date = asDate(moment)
  return date ? formatter().format(date) : dash
}

const minute = 60
const hour = 3600
const day = 86_400

function relativeUnit(seconds: number): [Intl.RelativeTimeFormatUnit, number] {
  if (seconds < minute) return ['second', 1]
  if (seconds < hour) return ['minute', minute]
  if (seconds < day) return ['hour', hour]
  return ['day', day]
}

function formatBytes(value: number, number: Format['number']): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(Math.max(Math.abs(value), 1)) / 3), units.length - 1)
  const scaled = value / 1000 ** power
  return `${number(scaled, scaled < 10 && power > 0 ? 1 : 0)} ${units[power]}`
}

/** Only the two largest units, e.g. days and hours. */
function formatDuration(seconds: number): string {
  const parts: string[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [size, unit] of [
    [day, 'd'],
    [hour, 'h'],
    [minute, 'min'],
    [1, 's'],
  ] as const) {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    if (amount > 0) parts.push(`${amount} ${unit}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

const decimalFormats = new Map<string, Intl.NumberFormat>()

/** Cached, since creating a number format takes about 50 µs. */
function decimalFormat(locale: string, decimals: number, style: 'decimal' | 'percent'): Intl.NumberFormat {
  const key = `${locale} ${decimals} ${style}`
  let format = decimalFormats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style,
      minimumFractionDigits: style === 'percent' ? 0 : decimals,
      maximumFractionDigits: decimals,
    })
    decimalFormats.set(key, format)
  }
  return format
}

/** A share that would round to 0 or 100 % without being it is shown with `<` or `>`. */
function formatPercent(share: number, decimals: number, format: Intl.NumberFormat): string {
  const step = 10 ** -(decimals + 2)
  if (share > 0 && share < step / 2) return `< ${format.format(step)}`
  if (share < 1 && share >= 1 - step / 2) return `> ${format.format(1 - step)}`
  return format.format(share)
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function asDate(moment: Moment | null | undefined): Date | null {
  if (moment === null || moment === undefined || moment === '') return null
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? null : date
}
