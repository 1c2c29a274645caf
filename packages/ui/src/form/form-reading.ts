/** Pure functions that convert texts of a form to values (R273–R280). */

/** True for locales that write 1.234,5 instead of 1,234.5. */
function hasDecimalComma(locale: string): boolean {
  return new Intl.NumberFormat(locale).format(0.5).includes(',')
}

/**
 * Parses a number: `1.234,5` and `1,234.5` are both 1234.5 (R278). Empty text is null, invalid text 0. One separator
 * before exactly three digits (`1.234`) is read according to the locale (T20).
 */
export function readNumber(text: string, locale: string): number | null {
  const compact = text.replaceAll(/[\s'’]/g, '')
  if (compact === '') return null
  return parseNumber(compact, locale) ?? 0
}

/** True if the text is a number or empty; other texts become 0. */
export function isNumberText(text: string, locale: string): boolean {
  const compact = text.replaceAll(/[\s'’]/g, '')
  return compact === '' || parseNumber(compact, locale) !== null
}

function parseNumber(text: string, locale: string): number | null {
  const match = /^([+\-−]?)(\d[\d.,]*|[.,]\d+)$/.exec(text)
  if (!match) return null
  const [, sign, digits = ''] = match
  const decimal = decimalSeparator(digits, locale)
  const [whole = '', fraction = '', ...more] = decimal === null ? [digits] : digits.split(decimal)
  if (more.length > 0 || /[.,]/.test(fraction) || !isGrouped(whole)) return null
  const number = Number(`${whole.replaceAll(/[.,]/g, '') || '0'}.${fraction || '0'}`)
  if (!Number.isFinite(number)) return null
  return sign === '-' || sign === '−' ? -number : number
}

/** The decimal separator of the text; null if there is none. */
function decimalSeparator(digits: string, locale: string): ',' | '.' | null {
  const dots = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ','
  if (dots + commas === 0) return null
  const only = dots > 0 ? '.' : ','
  if (dots + commas > 1) return null
  const isAmbiguous = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)
  if (!isAmbiguous) return only
  const decimal = hasDecimalComma(locale) ? ',' : '.'
  return only === decimal ? only : null
}

/** Plain digits, or groups of three after a first group of one to three. */
function isGrouped(whole: string): boolean {
  return /^\d*$/.test(whole) || /^\d{1,3}(\.\d{3})+$/.test(whole) || /^\d{1,3}(,\d{3})+$/.test(whole)
}

/** Formats a number for an input: grouped, with at most `decimals` decimal places, in the locale's format. */
export function writeNumber(value: number | null | undefined, locale: string, decimals?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ''
  return new Intl.NumberFormat(locale, { maximumFractionDigits: readDecimals(decimals) }).format(value)
}

/** Number of decimal places: an integer from 0 to 10, 2 by default (R280). */
export function readDecimals(places?: number | null): number {
  if (places === undefined || places === null || !Number.isFinite(places)) return 2
  return Math.min(10, Math.max(0, Math.trunc(places)))
}

/** Rounds to a number of decimal places, halves away from zero. */
export function roundTo(value: number, places?: number): number {
  const factor = 10 ** readDecimals(places)
  // The epsilon compensates the binary representation of halves such as 1.005.
  return (Math.sign(value) * Math.round(Math.abs(value) * factor * (1 + Number.EPSILON))) / factor
}

/** Share in percent, never negative and never NaN (R279). */
export function percentOf(part: number, whole: number): number {
  const percent = (part / whole) * 100
  return Number.isFinite(percent) && percent > 0 ? percent : 0
}

/** An id selected in a form: a number, or undefined, which omits the field (R278). */
export function readId(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const id = Number(value)
  return Number.isFinite(id) ? id : undefined
}

/** A checkbox value in any of the browser's forms (R278). */
export function readCheckbox(value: unknown): boolean {
  return value === true || value === 'on' || value === 'true' || value === '1' || value === 1
}

/** Text that must match a pattern. @throws Error `Invalid {field}: {pattern}` (R278) */
export function readPattern(field: string, text: string, pattern: RegExp): string {
  if (!pattern.test(text)) throw new Error(`Invalid ${field}: ${pattern.source}`)
  return text
}

export type InputKind = 'text' | 'number' | 'checkbox'

/**
 * Converts a form's inputs to the values to send (R278): `*_id` as numbers or omitted, checkboxes as booleans, numbers
 * parsed by locale; others unchanged.
 */
export function readForm(
  inputs: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, InputKind>>,
  locale: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [field, input] of Object.entries(inputs)) {
    const value = readInput(field, input, kinds[field], locale)
    if (value !== undefined) values[field] = value
  }
  return values
}

function readInput(field: string, input: unknown, kind: InputKind | undefined, locale: string): unknown {
  if (kind === 'checkbox') return readCheckbox(input)
  if (field.endsWith('_id')) return readId(input)
  return kind === 'number' && typeof input === 'string' ? readNumber(input, locale) : input
}

/** Asserts that no field is undefined. @throws Error `No {field} found!` for the first missing one (R277) */
export function assertFields<T extends object>(
  fields: T,
): asserts fields is T & { [K in keyof T]: Exclude<T[K], undefined> } {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) throw new Error(`No ${field} found!`)
  }
}

/**
 * True if the limits of an email address hold (R273): at most 254 characters, 64 before the @, 63 per domain label;
 * non-ASCII domains are measured in punycode.
 */
export function isEmailAddress(text: string): boolean {
  const address = text.trim()
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), asciiDomain(address.slice(at + 1))]
  if (at < 1 || domain === null || local.length > 64 || local.length + 1 + domain.length > 254) return false
  return !/[\s@]/.test(local) && domain.includes('.') && domain.split('.').every(isDomainLabel)
}

function isDomainLabel(label: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)
}

function asciiDomain(domain: string): string | null {
  if (domain === '' || /[\s/:?#@[\]%]/.test(domain)) return null
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return null
  }
}
