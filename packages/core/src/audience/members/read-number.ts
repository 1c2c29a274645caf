import { fault } from '@emma/contract/faults.ts'
import type { ReadValue } from './read-value.ts'
import type { DecimalSign } from './read-value.ts'

const noInteger = fault('cell.no_integer')
const noDecimal = fault('cell.no_number')
const twoNumbers = fault('cell.two_numbers')

const PLAIN = /^[+-]?\d{1,20}(\.\d{1,20})?$/
const COMMA = /^[+-]?\d{1,20},\d{1,20}$/
const GROUPED_BY_POINTS = /^[+-]?\d{1,3}(\.\d{3}){1,6}(,\d{1,20})?$/
const GROUPED_BY_COMMAS = /^[+-]?\d{1,3}(,\d{3}){1,6}(\.\d{1,20})?$/
const UNCLEAR = /^[+-]?(?!0)\d{1,3}[.,]\d{3}$/

/** Reads decimals: `1234.5`, `1234,5`, `1,234.50`, `1.234,50`, according to the column's decimal separator. */
export function decimalReader(sign: DecimalSign): ReadValue {
  return text => {
    const number = text.trim()
    if (sign !== ',' && PLAIN.test(number))
      return sign === 'unclear' && UNCLEAR.test(number) ? twoNumbers : number
    if (sign !== '.' && COMMA.test(number))
      return sign !== ',' && UNCLEAR.test(number) ? twoNumbers : number.replace(',', '.')
    if (sign !== '.' && GROUPED_BY_POINTS.test(number)) return number.replaceAll('.', '').replace(',', '.')
    if (sign !== ',' && GROUPED_BY_COMMAS.test(number)) return number.replaceAll(',', '')
    return sign === ',' && /^[+-]?\d{1,20}$/.test(number) ? number : noDecimal
  }
}

/** Reads integers, with thousands separators where the column's separator is known. */
export function integerReader(sign: DecimalSign): ReadValue {
  const grouped = sign === ',' ? /^[+-]?\d{1,3}(\.\d{3}){1,4}$/ : /^[+-]?\d{1,3}(,\d{3}){1,4}$/
  const isKnown = sign === ',' || sign === '.'
  return text => {
    const number = text.trim()
    if (/^[+-]?\d{1,15}$/.test(number)) return number
    return isKnown && grouped.test(number) ? number.replaceAll(/[.,]/g, '') : noInteger
  }
}

/**
 * Decimal separator that a number shows: null for a plain number, `unclear` for `1.234` and `1,234`, undefined for no
 * number.
 */
export function decimalSignOf(text: string): '.' | ',' | 'unclear' | null | undefined {
  if (/^[+-]?\d{1,20}$/.test(text)) return null
  if (UNCLEAR.test(text)) return 'unclear'
  if (PLAIN.test(text) || GROUPED_BY_COMMAS.test(text)) return '.'
  return COMMA.test(text) || GROUPED_BY_POINTS.test(text) ? ',' : undefined
}
