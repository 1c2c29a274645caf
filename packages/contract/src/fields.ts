import { z } from 'zod'

/** The kinds of fields that resources are made of: said once, so limits are the same everywhere. */

/** A key of a row: positive whole number. */
export const id = z.int().positive().max(Number.MAX_SAFE_INTEGER)

/** Of a receiving provider; 0: everybody else. */
export const providerId = z.int().nonnegative().max(Number.MAX_SAFE_INTEGER)

/** A count or a rate, as far as the database keeps it. */
export const count = z.int().nonnegative().max(2_147_483_647)

/** Text for a person, one line, at most `max` characters; no control characters. */
export function line(max = 255) {
  return z
    .string()
    .max(max)
    .refine(text => !hasControl(text), 'must not contain control characters or line breaks')
}

/** A name: a line that is not blank. */
export const name = line(255).trim().min(1, 'must not be empty')

/** Long text, line breaks allowed; no NUL, no lone surrogates (PostgreSQL cannot keep them). */
export function text(max: number) {
  return z
    .string()
    .max(max)
    .refine(
      value => !value.includes('\u0000') && value.isWellFormed(),
      'must not contain NUL or broken characters',
    )
}

/** An instant, ISO 8601 with its offset, in the years and offsets that PostgreSQL knows. */
export const instant = z.iso
  .datetime({ offset: true })
  .refine(value => !value.startsWith('0000') && !/[+-](?:1[6-9]|2\d):\d\d$/.test(value), 'is not a time')

export const date = z.iso.date().refine(value => !value.startsWith('0000'), 'is not a date')

/** A time of day, as clocks show it: 22:30. */
export const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'is not a time of day, such as 22:30')

/** An e-mail address by its limits (R273): 254 in all, 64 local; the server checks it in full. */
export const email = line(254)
  .trim()
  .refine(value => /^[^\s@]{1,64}@[^\s@]+$/u.test(value), 'is not an e-mail address')

/** A true/false query value: `true`, `1`, an empty value (`?test`) or `false`, `0`. */
export const flag = z.union([
  z.boolean(),
  z
    .enum(['true', '1', '', 'false', '0'])
    .transform(value => value === 'true' || value === '1' || value === ''),
])

/** A number of a query. */
export const queryId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** A key of a query, 0 among them where a resource has such a record. */
export const queryKey = z.coerce
  .string()
  .regex(/^\d{1,16}$/, 'is not a key')
  .transform(Number)

/** Words of a query that PostgreSQL can take. */
export const queryText = text(255)

export const queryInstant = z.union([instant, date])

function hasControl(value: string): boolean {
  // eslint-disable-next-line no-control-regex -- the point of this check
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(value) || !value.isWellFormed()
}
