import { MAX_DEPTH } from './render-budget.ts'

/** Formats a merged value as plain text: empty for missing values and objects, ISO format for dates. */
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
 * Escapes a merged value for HTML text and quoted attribute values, and removes control characters. Quotes are
 * escaped too, so a value cannot leave its attribute.
 */
export function toHtml(value: unknown): string {
  return escapeHtml(toText(value))
}

/** Formats a merged value for a text part: control characters other than tab and line break are removed. */
export function toPlainText(value: unknown): string {
  return dropControls(toText(value))
}

/**
 * Formats a merged value for a header line (the subject): line breaks become a space and other control characters are
 * removed, so that no value can begin another header field.
 */
export function toLine(value: unknown): string {
  return cleanLine(toText(value))
}

/** See `toLine`; some programs treat U+0085, U+2028 and U+2029 as line breaks. */
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

// The tests decide nearly all values cheaply; the replacements run for the few others.
/* oxlint-disable no-control-regex -- control characters are what these look for */
const special = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const allSpecial = new RegExp(special, 'g')
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/
const allControls = new RegExp(controls, 'g')
const lineControls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/
const allLineControls = /[\u0000-\u001f\u007f]/g
/* oxlint-enable no-control-regex */

/**
 * Formats a date for templates: `2026-03-01`, with a time `2026-03-01 22:30` (UTC). Such strings compare correctly,
 * and the `date` filter parses them.
 */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  if (iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10)
  return iso.slice(0, date.getUTCSeconds() === 0 ? 16 : 19).replace('T', ' ')
}
