import { z } from 'zod'
import { checkFault } from './schema-faults.ts'

/** Field schemas shared by all resources, so that limits are the same everywhere. */

/** Key of a row: a positive integer. */
export const id = z.int().positive().max(Number.MAX_SAFE_INTEGER)

/** Key of a mailbox provider; 0: other. */
export const providerId = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/** A count or rate, up to PostgreSQL's integer maximum. */
export const count = z.int().nonnegative().max(2_147_483_647)

/** One line of text, at most `max` characters, without control characters. */
export function line(max = 255) {
  return z
    .string()
    .max(max)
    .refine(text => !hasControl(text), checkFault('field.one_line'))
}

/** A name: one non-blank line. */
export const name = line(255).trim().min(1, checkFault('field.empty'))

/** Long text with line breaks; no NUL and lone surrogates, which PostgreSQL cannot store. */
export function text(max: number) {
  return z
    .string()
    .max(max)
    .refine(value => !value.includes('\u0000') && value.isWellFormed(), checkFault('field.broken'))
}

/** A time in ISO 8601 with offset, within PostgreSQL's range of years and offsets. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine(
    value => !value.startsWith('0000') && !/[+-](?:1[6-9]|2\d):\d\d$/.test(value),
    checkFault('field.time'),
  )

export const date = z.iso.date().refine(value => !value.startsWith('0000'), checkFault('field.date'))

/** A time of day: 22:30. */
export const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, checkFault('field.clock_time'))

/** Name of a column of a datasource. */
export const columnName = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, checkFault('field.column_name'))

/** Name of a time zone: Europe/Berlin. */
export const timeZone = line(64).refine(isTimeZone, checkFault('field.timezone'))

/**
 * An email address within its length limits (R273): 254 in total, 64 for the local part. The server validates it
 * completely.
 */
export const email = line(254)
  .trim()
  .refine(value => /^[^\s@]{1,64}@[^\s@]+$/u.test(value), checkFault('field.email'))

/** Members of a datasource get one campaign with the same key at most. */
export const sendOnceKey = line(100).trim().min(1, checkFault('field.empty'))

/** A boolean query value: `true`, `1`, an empty value (`?test`) or `false`, `0`. */
export const flag = z.union([
  z.boolean(),
  z
    .enum(['true', '1', '', 'false', '0'])
    .transform(value => value === 'true' || value === '1' || value === ''),
])

/** A numeric query value. */
export const queryId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** A key as query value; 0 where a resource has such a record. */
export const queryKey = z.coerce
  .string()
  .regex(/^\d{1,16}$/, checkFault('field.key'))
  .transform(Number)

/** Query text that PostgreSQL accepts. */
export const queryText = text(255)

export const queryInstant = z.union([instant, date])

function hasControl(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- the point of this check
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(value) || !value.isWellFormed()
}

/** Accepts names only, not offsets such as `+02:00`, whose sign PostgreSQL reads inverted. */
function isTimeZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
