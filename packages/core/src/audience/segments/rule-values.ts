import { type Fault, fault } from '@emma/contract/faults.ts'
import type { FieldType } from '@emma/contract/rules.ts'
import { parseAddress } from '@emma/mail/address.ts'

/** A rule's value, read as its field's type, or a fault. */
export type RuleValue = { ok: true; value: string | number | boolean } | { ok: false; fault: Fault }

/**
 * Reads one value of a rule. Accepts numbers and booleans as text, as rule builders send them. Dates are returned as
 * `YYYY-MM-DD`, times as ISO 8601 in UTC; a date stays a date, and a time without an offset stays without one
 * (`2026-12-31T18:00:00`).
 */
export function readValue(type: FieldType, value: unknown): RuleValue {
  switch (type) {
    case 'int':
      return readInteger(value)
    case 'decimal':
      return readDecimal(value)
    case 'bool':
      return readTruth(value)
    case 'date':
      return readDay(value)
    case 'datetime':
      return readInstant(value)
    case 'email':
      return readText(value, addressForm)
    default:
      return readText(value)
  }
}

function readText(value: unknown, form: (text: string) => string = text => text): RuleValue {
  return typeof value === 'string' || typeof value === 'number'
    ? { ok: true, value: form(String(value)) }
    : refuse(fault('field.text'))
}

/** Normalises a complete address, as members' addresses are. */
function addressForm(text: string): string {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.email : text
}

const maximumDays = 36_500

/** Reads the number of days of a relative-date operator. */
export function readDays(value: unknown): { ok: true; value: number } | { ok: false; fault: Fault } {
  const read = readInteger(value)
  if (!read.ok || typeof read.value !== 'number' || read.value < 0 || read.value > maximumDays)
    return refuse(fault('field.days', { min: 0, max: maximumDays }))
  return { ok: true, value: read.value }
}

/** Reads several values: a list, or comma-separated text (R289). */
export function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return value.split(',').map(part => part.trim())
  return value === undefined || value === null ? [] : [value]
}

export function isDayOnly(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
}

export function hasOffset(value: unknown): boolean {
  return typeof value === 'string' && value.endsWith('Z')
}

function readInteger(value: unknown): RuleValue {
  const number = typeof value === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number)
    ? { ok: true, value: number }
    : refuse(fault('field.whole_number'))
}

function readDecimal(value: unknown): RuleValue {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d{1,15}(\.\d{1,15})?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number)
    ? { ok: true, value: number }
    : refuse(fault('field.number'))
}

function readTruth(value: unknown): RuleValue {
  if (value === true || value === 'true' || value === 1 || value === '1') return { ok: true, value: true }
  if (value === false || value === 'false' || value === 0 || value === '0') return { ok: true, value: false }
  return refuse(fault('field.yes_no'))
}

function readDay(value: unknown): RuleValue {
  const day = typeof value === 'string' ? value.trim().slice(0, 10) : ''
  return isDayOnly(day) && isRealDay(day) ? { ok: true, value: day } : refuse(fault('field.date_example'))
}

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?$/

function readInstant(value: unknown): RuleValue {
  const text = typeof value === 'string' ? value.trim() : ''
  if (isDayOnly(text)) return readDay(text)
  const match = INSTANT.exec(text)
  const refused = refuse(fault('field.time_example'))
  if (!match || !isRealDay(match[1] ?? '')) return refused
  const local = `${match[1]}T${match[2]}${match[3] ?? ':00'}`
  const time = new Date(`${local}${match[5] ?? 'Z'}`)
  if (Number.isNaN(time.getTime())) return refused
  return { ok: true, value: match[5] ? time.toISOString() : local }
}

/** Rejects days that do not exist, such as 31 February, and the year 0, which PostgreSQL does not have. */
function isRealDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !day.startsWith('0000') && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

function refuse(reason: Fault): { ok: false; fault: Fault } {
  return { ok: false, fault: reason }
}
