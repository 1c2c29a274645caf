import { type Fault, fault } from '@emma/contract/faults.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { parseAddress } from '@emma/mail/address.ts'
import { addressFault } from '../address-fault.ts'
import { maximumLength } from './member-columns.ts'
import { dateReader, timeReader } from './read-date.ts'
import { decimalReader, integerReader } from './read-number.ts'
import type { CellFormat, ReadValue } from './read-value.ts'

/** Format of a single value from a form or API client: times are UTC, ambiguous values are rejected. */
const singleValue: CellFormat = { dateOrder: 'unclear', decimalSign: 'json', isLocalTime: false }

/**
 * Creates a reader that converts text to values of a column, for files and forms. Dates: `2026-12-31`, `31.12.2026`,
 * `31/12/2026` or `12/31/2026` by their order; times: a date with `18:30` or `18:30:00`. Numbers: by decimal separator,
 * with or without thousands separators. Booleans: true/false, 1/0, yes/no, ja/nein, sí/no. Created once per column, as
 * a million rows may pass through it.
 */
export function valueReader(column: MemberColumn, format: CellFormat = singleValue): ReadValue {
  switch (column.data_type) {
    case 'string':
      return lineReader(maximumLength(column))
    case 'text':
      return textReader(maximumLength(column))
    case 'email':
      return readAddress
    case 'int':
      return integerReader(format.decimalSign)
    case 'decimal':
      return decimalReader(format.decimalSign)
    case 'bool':
      return readTruth
    case 'date':
      return dateReader(format.dateOrder)
    case 'datetime':
      return timeReader(format, '00:00:00')
    case 'enum':
      return choiceReader(column.options)
  }
}

// eslint-disable-next-line no-control-regex -- the point: line breaks in a merge field would end up in mail headers
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/

function lineReader(limit: number): ReadValue {
  const tooLong = fault('cell.too_long', { max: limit })
  const control = fault('cell.control_characters')
  return text => {
    const line = text.trim()
    if (line.length > limit) return tooLong
    return CONTROL.test(line) ? control : line
  }
}

function textReader(limit: number): ReadValue {
  const tooLong = fault('cell.too_long', { max: limit })
  const nul = fault('cell.nul')
  return text => {
    if (text.length > limit) return tooLong
    return text.includes('\0') ? nul : text
  }
}

function readAddress(text: string): string | Fault {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.email : addressFault(parsed.reason)
}

const truths = new Map([
  ...['true', '1', 'yes', 'y', 'ja', 'j', 'sí', 'si', 's', 't', 'on', 'wahr', 'x'].map(
    word => [word, 'true'] as const,
  ),
  ...['false', '0', 'no', 'n', 'nein', 'f', 'off', 'falsch'].map(word => [word, 'false'] as const),
])
const noTruth = fault('cell.no_truth')

/** Reads booleans in the words used in files. */
export function readTruth(text: string): string | Fault {
  return truths.get(text.trim().toLowerCase()) ?? noTruth
}

/** Matches an option exactly, or else ignoring case. */
function choiceReader(options: readonly string[]): ReadValue {
  const choices = new Map(options.map(option => [option.toLowerCase(), option]))
  for (const option of options) choices.set(option, option)
  const shown = options.slice(0, 10).join(', ')
  const noOption = fault('cell.no_option', { options: `${shown}${options.length > 10 ? ' …' : ''}` })
  return text => {
    const word = text.trim()
    return choices.get(word) ?? choices.get(word.toLowerCase()) ?? noOption
  }
}
