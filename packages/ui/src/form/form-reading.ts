/** How texts of a form become values (R273–R280): pure, the same for every screen. */

/** Languages that write 1.234,5 rather than 1,234.5. */
function hasDecimalComma(language: string): boolean {
  return !language.startsWith('en')
}

/**
 * A number as people type it: `1.234,5` and `1,234.5` are both 1234.5 (R278). Empty is null, what cannot be read
 * is 0. One separator before exactly three digits (`1.234`) is read as the language writes it (T20).
 */
export function readNumber(text: string, language: string): number | null {
  const compact = text.replaceAll(/[\s'’]/g, '')
  if (compact === '') return null
  return parseNumber(compact, language) ?? 0
}

/** Can the text be read as a number, or would it become 0 by rule? Empty text is fine. */
export function isNumberText(text: string, language: string): boolean {
  const compact = text.replaceAll(/[\s'’]/g, '')
  return compact === '' || parseNumber(compact, language) !== null
}

function parseNumber(text: string, language: string): number | null {
  const match = /^([+\-−]?)(\d[\d.,]*|[.,]\d+)$/.exec(text)
  if (!match) return null
  const [, sign, digits = ''] = match
  const decimal = decimalSeparator(digits, language)
  const [whole = '', fraction = '', ...more] = decimal === null ? [digits] : digits.split(decimal)
  if (more.length > 0 || /[.,]/.test(fraction) || !isGrouped(whole)) return null
  const number = Number(`${whole.replaceAll(/[.,]/g, '') || '0'}.${fraction || '0'}`)
  if (!Number.isFinite(number)) return null
  return sign === '-' || sign === '−' ? -number : number
}

/** Which character ends the whole part; null: none does. */
function decimalSeparator(digits: string, language: string): ',' | '.' | null {
  const dots = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ','
  if (dots + commas === 0) return null
  const only = dots > 0 ? '.' : ','
  if (dots + commas > 1) return null
  const isAmbiguous = /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)
  if (!isAmbiguous) return only
  const decimal = hasDecimalComma(language) ? ',' : '.'
  return only === decimal ? only : null
}

/** Plain digits, or groups of three behind a first group of one to three. */
function isGrouped(whole: string): boolean {
  return /^\d*$/.test(whole) || /^\d{1,3}(\.\d{3})+$/.test(whole) || /^\d{1,3}(,\d{3})+$/.test(whole)
}

/** A number for an input: grouped and with at most `decimals` places, in the language's way. */
export function writeNumber(value: number | null | undefined, language: string, decimals?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ''
  return new Intl.NumberFormat(language, { maximumFractionDigits: readDecimals(decimals) }).format(value)
}

/** Decimal places: whole, 0 to 10, 2 when not said (R280). */
export function readDecimals(places?: number | null): number {
  if (places === undefined || places === null || !Number.isFinite(places)) return 2
  return Math.min(10, Math.max(0, Math.trunc(places)))
}

/** Rounded to so many places, halves away from zero. */
export function roundTo(value: number, places?: number): number {
  const factor = 10 ** readDecimals(places)
  // The epsilon undoes the binary image of halves such as 1.005.
  return (Math.sign(value) * Math.round(Math.abs(value) * factor * (1 + Number.EPSILON))) / factor
}

/** Part of a whole in percent, never negative and never NaN (R279). */
export function percentOf(part: number, whole: number): number {
  const percent = (part / whole) * 100
  return Number.isFinite(percent) && percent > 0 ? percent : 0
}

/** A key chosen in a form: a number, or undefined, which leaves the field out (R278). */
export function readId(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const id = Number(value)
  return Number.isFinite(id) ? id : undefined
}

/** A tick, however the browser says it (R278). */
export function readCheckbox(value: unknown): boolean {
  return value === true || value === 'on' || value === 'true' || value === '1' || value === 1
}

/** Text that must fit a pattern. @throws Error `Invalid {field}: {pattern}` (R278) */
export function readPattern(field: string, text: string, pattern: RegExp): string {
  if (!pattern.test(text)) throw new Error(`Invalid ${field}: ${pattern.source}`)
  return text
}

export type InputKind = 'text' | 'number' | 'checkbox'

/**
 * A form's inputs as the values to send (R278): `*_id` as numbers or left out, ticks as booleans, numbers read by
 * language; anything else as it is.
 */
export function readForm(
  inputs: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, InputKind>>,
  language: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [field, input] of Object.entries(inputs)) {
    const value = readInput(field, input, kinds[field], language)
    if (value !== undefined) values[field] = value
  }
  return values
}

function readInput(field: string, input: unknown, kind: InputKind | undefined, language: string): unknown {
  if (kind === 'checkbox') return readCheckbox(input)
  if (field.endsWith('_id')) return readId(input)
  return kind === 'number' && typeof input === 'string' ? readNumber(input, language) : input
}

/** All fields of the object are there. @throws Error `No {field} found!` for the first that is not (R277) */
export function assertFields<T extends object>(
  fields: T,
): asserts fields is T & { [K in keyof T]: Exclude<T[K], undefined> } {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) throw new Error(`No ${field} found!`)
  }
}

/**
 * Do the limits of an e-mail address hold (R273)? At most 254 characters, 64 before the @, 63 a domain label;
 * a domain beyond ASCII is measured in punycode.
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
