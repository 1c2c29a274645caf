import { MAX_DEPTH } from './render-budget.ts'

/** How a merged value reads in plain text: nothing for missing values, ISO form for dates, nothing for objects. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return dateText(value)
  return Array.isArray(value) ? listText(value, 0) : ''
}

function listText(list: readonly unknown[], depth: number): string {
  if (depth === MAX_DEPTH) return ''
  return list.map(item => (Array.isArray(item) ? listText(item, depth + 1) : toText(item))).join('')
}

/**
 * Escapes a merged value for HTML text and quoted attribute values, and drops control characters.
 * Quotes are escaped too, so a value cannot leave its attribute.
 */
export function toHtml(value: unknown): string {
  return escapeHtml(toText(value))
}

/** A merged value in a text part: control characters other than tab and line break are dropped. */
export function toPlainText(value: unknown): string {
  return dropControls(toText(value))
}

/**
 * A merged value in a header line (the subject): line breaks become a space and other control characters go, so
 * that no value can begin a header of its own.
 */
export function toLine(value: unknown): string {
  return cleanLine(toText(value))
}

/** See `toLine`; U+0085, U+2028 and U+2029 are line breaks to some programs. */
export function cleanLine(text: string): string {
  if (!lineControls.test(text)) return text
  return text.replaceAll(/[\r\n\u0085\u2028\u2029]\s*/g, ' ').replaceAll(allLineControls, '')
}

export function dropControls(text: string): string {
  return controls.test(text) ? text.replaceAll(allControls, '') : text
}

export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  return text.replaceAll(allSpecial, character => entities[character] ?? '')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

// The tests are what nearly every value costs; the replacing expressions run for the few others.
/* oxlint-disable no-control-regex -- control characters are what these look for */
const special = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const allSpecial = new RegExp(special, 'g')
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const allControls = new RegExp(controls, 'g')
const lineControls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/
const allLineControls = /[\u0000-\u001f\u007f]/g
/* oxlint-enable no-control-regex */

/**
 * A date as templates see it: `2026-03-01`, with a time `2026-03-01 22:30` (UTC). Texts of this form compare rightly
 * with each other, and the `date` filter reads them.
 */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  if (iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10)
  return iso.slice(0, date.getUTCSeconds() === 0 ? 16 : 19).replace('T', ' ')
}
