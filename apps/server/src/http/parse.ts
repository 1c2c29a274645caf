import { EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import type { z } from 'zod'

/** The body by its schema; every faulty field is named (`rules.0.field`). Throws `invalid`. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(emptyToNull(body))
  if (parsed.success) return parsed.data
  throw invalid(fieldErrors(parsed.error))
}

/** Path and query: what does not fit is the address's fault. Throws `bad_request`. */
export function parseQuery<S extends z.ZodType>(schema: S, query: unknown): z.infer<S> {
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  const errors = fieldErrors(parsed.error)
  throw new EmmaError('bad_request', invalid(errors).message, errors)
}

/** A record's key in a path. What is no key is not found. */
export function parseId(text: unknown): number {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new EmmaError('not_found')
  return id
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.flatMap(issue => {
    const path = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ field: path ? `${path}.${key}` : key, message: 'is not known here' }))
    return [{ field: path || 'body', message: plain(issue.message) }]
  })
}

/** The library's "Invalid input: expected string, received number" in the words of a form. */
function plain(message: string): string {
  return message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be $1, not $2')
}

/** R169: empty strings arrive as null, one level deep (texts inside of structures stay as they are). */
function emptyToNull(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, value === '' ? null : value]),
  )
}
