import { type Fault, fault } from '@emma/contract/faults.ts'
import type { CellFormat, ReadValue } from './read-value.ts'
import type { DateOrder } from './read-value.ts'

const noDate = fault('cell.no_date')
const noTime = fault('cell.no_time')
const twoDates = fault('cell.two_dates')

const DATE = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)([./-])(\d\d?)\5(\d{4}))/
const TIME = /^[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/** Reads dates as `2026-12-31`; a time after the date is dropped. */
export function dateReader(order: DateOrder): ReadValue {
  return text => {
    if (isPlainDay(text)) return text
    const input = text.trim()
    const match = DATE.exec(input)
    if (!match) return noDate
    const day = dayOf(match, order)
    if (typeof day !== 'string') return day ?? noDate
    const rest = input.slice(match[0].length)
    return rest === '' || TIME.test(rest) ? day : noDate
  }
}

/** Reads times as `2026-12-31T18:30:00Z`, or without an offset when the format is local time. */
export function timeReader({ dateOrder, isLocalTime }: CellFormat, timeOfBareDays: string): ReadValue {
  const offset = isLocalTime ? '' : 'Z'
  return text => {
    const input = text.trim()
    const match = DATE.exec(input)
    if (!match) return noTime
    const day = dayOf(match, dateOrder)
    if (typeof day !== 'string') return day ?? noTime
    const rest = input.slice(match[0].length)
    if (rest === '') return `${day}T${timeOfBareDays}${offset}`
    const time = TIME.exec(rest)
    if (!time) return noTime
    const [, hours = '', minutes = '', seconds = '00', zone = offset] = time
    if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return noTime
    return `${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}${zone.toUpperCase() === 'UTC' ? 'Z' : zone}`
  }
}

/** Order of day and month that a date shows: null when every order gives the same date, undefined for no date. */
export function dateOrderOf(text: string): DateOrder | null | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const rest = text.slice(match[0].length)
  if (rest !== '' && !TIME.test(rest)) return undefined
  if (!hasOrder(match)) return dayOf(match, 'dmy') === null ? undefined : null
  const [first, second] = [Number(match[4]), Number(match[6])]
  if (first > 31 || second > 31 || (first > 12 && second > 12)) return undefined
  if (first > 12) return 'dmy'
  return second > 12 ? 'mdy' : 'unclear'
}

/** `2026-12-31` has one order only, and dates with dots never start with the month. */
function hasOrder(match: RegExpExecArray): boolean {
  return match[1] === undefined && match[5] !== '.'
}

/** The date, null for a day that does not exist, or a fault for an ambiguous one. */
function dayOf(match: RegExpExecArray, order: DateOrder): string | Fault | null {
  if (match[1] !== undefined) return realDay(Number(match[1]), Number(match[2]), Number(match[3]))
  const [first, second, year] = [Number(match[4]), Number(match[6]), Number(match[7])]
  if (!hasOrder(match) || order === 'dmy') return realDay(year, second, first)
  if (order === 'mdy') return realDay(year, first, second)
  const [dayFirst, monthFirst] = [realDay(year, second, first), realDay(year, first, second)]
  if (dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst) return twoDates
  return dayFirst ?? monthFirst
}

/** Fast path for most cells: `2026-12-31` with a day up to 28, without regular expressions. */
function isPlainDay(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return false
  const year = digitsAt(text, 0) * 100 + digitsAt(text, 2)
  const month = digitsAt(text, 5)
  const day = digitsAt(text, 8)
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= 28
}

/** Two digits as a number; NaN when they are none. */
function digitsAt(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30
  const ones = text.charCodeAt(at + 1) - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Null for days that do not exist, such as 31 February. */
function realDay(year: number, month: number, day: number): string | null {
  if (year === 0 || day === 0 || day > (monthDays[month - 1] ?? 0)) return null
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2 && day === 29 && !isLeap) return null
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
