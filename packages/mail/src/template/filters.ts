import { mailFault } from '../mail-fault.ts'
import { formatDate, type Locale } from './format-date.ts'
import { splitText, textFinder } from './find-text.ts'
import { stripHtml } from './strip-html.ts'
import { RenderError } from './template-error.ts'
import { escapeHtml, toText } from './value-text.ts'

/** A filter: pure, never throws, key-value arguments are passed as `[name, value]`. */
export type Filter = (value: unknown, ...args: unknown[]) => unknown

/**
 * Returns the filters of merge templates. Compiled slots and liquidjs share these functions, so that both give the
 * same result; liquidjs adds its own list filters (`join`, `sort`, `where` …, see liquid-engine.ts).
 */
export function mergeFilters(locale: Locale): ReadonlyMap<string, Filter> {
  return new Map<string, Filter>([
    ...Object.entries(plainFilters),
    ['date', (value, format) => formatDate(value, format, locale)],
    ['money', (value, currency = 'EUR') => formatMoney(value, toText(currency), locale.language)],
    ['number', (value, decimals = 0) => formatNumber(value, decimals, locale.language)],
  ])
}

/** Maximum length of a filter's text: `replace` and `append` could otherwise exhaust the memory. */
export const maxFilterText = 1_000_000

const plainFilters: Record<string, Filter> = {
  default: (value, instead, option) => (isEmpty(value, option) ? instead : value),
  upcase: value => toText(value).toUpperCase(),
  downcase: value => toText(value).toLowerCase(),
  capitalize: value => capitalize(toText(value)),
  strip: value => toText(value).trim(),
  lstrip: value => toText(value).trimStart(),
  rstrip: value => toText(value).trimEnd(),
  strip_newlines: value => toText(value).replaceAll(/\r?\n/g, ''),
  normalize_whitespace: value => toText(value).replaceAll(/\s+/g, ' '),
  strip_html: value => stripHtml(toText(value)),
  newline_to_br: value => toText(value).replaceAll(/\r?\n/g, '<br />\n'),
  escape: value => escapeHtml(toText(value)),
  escape_once: value => escapeOnce(toText(value)),
  url_encode: value => urlComponent(value).replaceAll('%20', '+'),
  url_decode: value => urlDecode(toText(value)),
  url_component: urlComponent,
  safe_url: value => safeUrl(toText(value)),
  truncate: (value, length = 50, end = '...') => truncate(toText(value), toNumber(length), toText(end)),
  truncatewords: (value, words = 15, end = '...') =>
    truncateWords(toText(value), toNumber(words), toText(end)),
  append: (value, more) => bounded(toText(value), toText(more)),
  prepend: (value, more) => bounded(toText(more), toText(value)),
  remove: (value, what) => (toText(what) === '' ? value : splitText(toText(value), toText(what)).join('')),
  remove_first: (value, what) => replaceFirst(toText(value), toText(what), ''),
  replace: (value, what, by = '') => replaceAll(toText(value), toText(what), toText(by)),
  replace_first: (value, what, by = '') => replaceFirst(toText(value), toText(what), toText(by)),
  plus: (value, other) => tidy(toNumber(value) + toNumber(other)),
  minus: (value, other) => tidy(toNumber(value) - toNumber(other)),
  times: (value, other) => tidy(toNumber(value) * toNumber(other)),
  divided_by: (value, other, integers) => dividedBy(value, other, integers),
  modulo: (value, other) => tidy(modulo(toNumber(value), toNumber(other))),
  abs: value => Math.abs(toNumber(value)),
  ceil: value => Math.ceil(toNumber(value)),
  floor: value => Math.floor(toNumber(value)),
  round: (value, decimals = 0) => round(toNumber(value), toNumber(decimals)),
  at_least: (value, limit) => Math.max(toNumber(value), toNumber(limit)),
  at_most: (value, limit) => Math.min(toNumber(value), toNumber(limit)),
  sum: (value, field) => sumOf(value, field),
}

/** Blank text counts as empty: `default` is meant to prevent "Hello ,". */
function isEmpty(value: unknown, option: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (value === false) return !(Array.isArray(option) && option[0] === 'allow_false' && option[1] === true)
  if (Array.isArray(value)) return value.length === 0
  if (value instanceof Date) return Number.isNaN(value.getTime())
  return value === undefined || value === null
}

function capitalize(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length).toLowerCase()
}

function escapeOnce(text: string): string {
  return text
    .split(/(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)/i)
    .map((piece, index) => (index % 2 === 1 ? piece : escapeHtml(piece)))
    .join('')
}

/** Percent-encodes a value for one URL component; lone surrogates, which have no encoding, become U+FFFD. */
function urlComponent(value: unknown): string {
  return encodeURIComponent(toText(value).toWellFormed())
}

function urlDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Accepts a complete URL from the data only with a scheme that is harmless in a message and on a web page. */
function safeUrl(text: string): string {
  const url = text.trim()
  return /^(?:https?:\/\/|mailto:|tel:|cid:)[^\s\\]+$/i.test(url) ? url : ''
}

function truncate(text: string, length: number, end: string): string {
  const limit = Math.max(0, Math.trunc(length))
  if (text.length <= limit) return text
  const kept = text.slice(0, Math.max(0, limit - end.length))
  // Half of a surrogate pair would be displayed as a broken character.
  return kept.replace(/[\ud800-\udbff]$/, '') + end
}

function truncateWords(text: string, words: number, end: string): string {
  const all = text.split(/\s+/).filter(word => word !== '')
  const limit = Math.max(1, Math.trunc(words))
  return all.length <= limit ? text : all.slice(0, limit).join(' ') + end
}

function bounded(first: string, second: string): string {
  if (first.length + second.length > maxFilterText) throw new RenderError(mailFault('content.value_long'))
  return first + second
}

function replaceAll(text: string, what: string, by: string): string {
  if (what === '') return text
  const pieces = splitText(text, what)
  if (text.length + (pieces.length - 1) * by.length > maxFilterText)
    throw new RenderError(mailFault('content.value_long'))
  return pieces.join(by)
}

function replaceFirst(text: string, what: string, by: string): string {
  const place = textFinder(what)(text)
  return place < 0 ? text : bounded(text.slice(0, place) + by, text.slice(place + what.length))
}

/**
 * As in Liquid: two integers divide to an integer, rounded down. A string with a decimal point is not an integer
 * ("7.50"), nor is a divisor written with one, for which the engine passes `false` as third argument; `true` requests
 * an integer.
 */
function dividedBy(value: unknown, other: unknown, integers: unknown): number | string {
  const quotient = toNumber(value) / toNumber(other)
  const isInteger = integers === undefined ? isIntegerText(value) && isIntegerText(other) : integers === true
  return tidy(isInteger ? Math.floor(quotient) : quotient)
}

function isIntegerText(value: unknown): boolean {
  return Number.isInteger(toNumber(value)) && !(typeof value === 'string' && value.includes('.'))
}

/** The remainder has the sign of the divisor. */
function modulo(value: number, other: number): number {
  return ((value % other) + other) % other
}

/** Sums a list, including nested lists, or one field of its items; non-numeric values count as zero. */
function sumOf(list: unknown, field: unknown): number | string {
  let sum = 0
  const items = Array.isArray(list) ? list.flat(MAX_LIST_DEPTH) : [list]
  const name = field === undefined ? null : toText(field)
  for (const item of items) sum += toNumber(name === null ? item : fieldOf(item, name))
  return tidy(sum)
}

const MAX_LIST_DEPTH = 20

function fieldOf(item: unknown, name: string): unknown {
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, name)) return undefined
  return Object.getOwnPropertyDescriptor(item, name)?.value
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : 0
  if (typeof value === 'boolean') return 0
  const number = Number(toText(value).trim())
  return Number.isFinite(number) ? number : 0
}

/** Rounds 0.1 + 0.2 to 0.3; a result that is not finite (division by zero) displays nothing. */
function tidy(value: number): number | string {
  return Number.isFinite(value) ? Number(value.toPrecision(15)) : ''
}

function round(value: number, decimals: number): number {
  const factor = 10 ** Math.min(Math.max(Math.trunc(decimals), 0), 10)
  // Rounds half away from zero, as for amounts; fifteen digits are the precision of a number (1.005 is 1.00499…).
  return (Math.sign(value) * Math.round(Number((Math.abs(value) * factor).toPrecision(15)))) / factor
}

const numberFormats = new Map<string, Intl.NumberFormat>()
const MAX_NUMBER_FORMATS = 100

function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const known = numberFormats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(language, options)
  // Currencies come from templates and data: an unbounded cache would exhaust the memory.
  if (numberFormats.size >= MAX_NUMBER_FORMATS) numberFormats.clear()
  numberFormats.set(key, made)
  return made
}

function formatMoney(value: unknown, currency: string, language: string): unknown {
  if (!isNumeric(value)) return value
  const code = currency.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) return value
  return numberFormat(language, { style: 'currency', currency: code }).format(toNumber(value))
}

function formatNumber(value: unknown, decimals: unknown, language: string): unknown {
  if (!isNumeric(value)) return value
  const digits = Math.min(Math.max(Math.trunc(toNumber(decimals)), 0), 10)
  return numberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    toNumber(value),
  )
}

function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
}
