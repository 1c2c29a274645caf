import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { ADDRESS_FAULTS, parseAddress } from '@emma/mail/address.ts'
import { maximumLength } from './member-columns.ts'

/** Why a text is no value of a column: an object, so that it cannot be taken for a value. */
export interface Fault {
  fault: string
}

/** Reads a text that is not empty as a value of one column: the value in the form PostgreSQL takes, or the fault. */
export type ReadValue = (text: string) => string | Fault

/**
 * How texts become values of a column, for files and forms alike. Dates: `2026-12-31`, `31.12.2026`, `31/12/2026`;
 * times: a date with `18:30` or `18:30:00`, in UTC when no offset follows. Numbers: a point or a comma before the
 * decimals, grouped thousands only together with decimals. Truth: true/false, 1/0, yes/no, ja/nein, sí/no.
 * Made once a column, because a million rows pass through it.
 */
export function valueReader(column: MemberColumn): ReadValue {
  switch (column.data_type) {
    case 'string':
      return lineReader(maximumLength(column))
    case 'text':
      return textReader(maximumLength(column))
    case 'email':
      return readAddress
    case 'int':
      return readInteger
    case 'decimal':
      return readDecimal
    case 'bool':
      return readTruth
    case 'date':
      return readDate
    case 'datetime':
      return readTime
    case 'enum':
      return choiceReader(column.options)
  }
}

// eslint-disable-next-line no-control-regex -- the point: line breaks in a merge field would end up in mail headers
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/

function lineReader(limit: number): ReadValue {
  const tooLong = { fault: `is longer than ${limit} characters` }
  const control = { fault: 'has line breaks or control characters' }
  return text => {
    const line = text.trim()
    if (line.length > limit) return tooLong
    return CONTROL.test(line) ? control : line
  }
}

function textReader(limit: number): ReadValue {
  const tooLong = { fault: `is longer than ${limit} characters` }
  const nul = { fault: 'has a NUL character' }
  return text => {
    if (text.length > limit) return tooLong
    return text.includes('\0') ? nul : text
  }
}

const addressFaults = new Map(
  Object.entries(ADDRESS_FAULTS).map(([reason, fault]): [string, Fault] => [reason, { fault }]),
)

function readAddress(text: string): string | Fault {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.email : (addressFaults.get(parsed.reason) ?? { fault: 'is no e-mail address' })
}

const noInteger = { fault: 'is not a whole number' }

function readInteger(text: string): string | Fault {
  const number = text.trim()
  return /^[+-]?\d{1,15}$/.test(number) ? number : noInteger
}

const noDecimal = { fault: 'is not a number' }

function readDecimal(text: string): string | Fault {
  const number = text.trim()
  if (/^[+-]?\d{1,20}(\.\d{1,20})?$/.test(number)) return number
  if (/^[+-]?\d{1,20},\d{1,20}$/.test(number)) return number.replace(',', '.')
  if (/^[+-]?\d{1,3}(\.\d{3}){1,6},\d{1,20}$/.test(number))
    return number.replaceAll('.', '').replace(',', '.')
  if (/^[+-]?\d{1,3}(,\d{3}){1,6}\.\d{1,20}$/.test(number)) return number.replaceAll(',', '')
  return noDecimal
}

const truths = new Map([
  ...['true', '1', 'yes', 'y', 'ja', 'j', 'sí', 'si', 's', 't', 'on', 'wahr', 'x'].map(
    word => [word, 'true'] as const,
  ),
  ...['false', '0', 'no', 'n', 'nein', 'f', 'off', 'falsch'].map(word => [word, 'false'] as const),
])
const noTruth = { fault: 'is neither yes nor no' }

function readTruth(text: string): string | Fault {
  return truths.get(text.trim().toLowerCase()) ?? noTruth
}

const noDate = { fault: 'is not a date such as 2026-12-31 or 31.12.2026' }
const DATE = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d?)[./](\d\d?)[./](\d{4}))/
const TIME = /^[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

function readDate(text: string): string | Fault {
  if (isPlainDay(text)) return text
  const input = text.trim()
  const match = DATE.exec(input)
  const day = match && realDay(match)
  if (!day) return noDate
  const rest = input.slice(match[0].length)
  return rest === '' || TIME.test(rest) ? day : noDate
}

/** `2026-12-31`, a day that every month has: most cells, and no need for expressions. */
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

const noTime = { fault: 'is not a time such as 2026-12-31 18:30 or 31.12.2026 18:30' }

function readTime(text: string): string | Fault {
  const input = text.trim()
  const match = DATE.exec(input)
  const day = match && realDay(match)
  if (!day) return noTime
  const rest = input.slice(match[0].length)
  if (rest === '') return `${day}T00:00:00Z`
  const time = TIME.exec(rest)
  if (!time) return noTime
  const [, hours = '', minutes = '', seconds = '00', zone = 'Z'] = time
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return noTime
  return `${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}${zone.toUpperCase() === 'UTC' ? 'Z' : zone}`
}

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** 31 February is none. */
function realDay(match: RegExpExecArray): string | null {
  const year = Number(match[1] ?? match[6])
  const month = Number(match[2] ?? match[5])
  const day = Number(match[3] ?? match[4])
  if (year === 0 || day === 0 || day > (monthDays[month - 1] ?? 0)) return null
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2 && day === 29 && !isLeap) return null
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** Exact, or the one choice that differs in case alone. */
function choiceReader(options: readonly string[]): ReadValue {
  const choices = new Map(options.map(option => [option.toLowerCase(), option]))
  for (const option of options) choices.set(option, option)
  const shown = options.slice(0, 10).join(', ')
  const fault = { fault: `is none of ${shown}${options.length > 10 ? ' …' : ''}` }
  return text => {
    const word = text.trim()
    return choices.get(word) ?? choices.get(word.toLowerCase()) ?? fault
  }
}
