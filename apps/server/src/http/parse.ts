import { EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import type { z } from 'zod'

/** The body by its schema; every faulty field is named (`rules.0.field`). Throws `invalid`. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const faults = findFaults(body)
  if (faults.length > 0) throw invalid(faults)
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

/** Faults told at once: a list of thousands of wrong values would be answered by a text as long. */
const mostErrors = 50

/** Levels of a body: a rule query of the greatest depth fits twice. */
const deepest = 100

/** What no field of any kind may hold, wherever it hangs: said here once, so that no schema can forget it. */
function findFaults(value: unknown, path = '', level = 0): FieldError[] {
  const at = (message: string) => [{ field: path || 'body', message }]
  if (typeof value === 'string')
    return value.includes('\u0000') || !value.isWellFormed()
      ? at('must not contain NUL or broken characters')
      : []
  if (typeof value === 'number') return Number.isFinite(value) ? [] : at('is too large a number')
  if (typeof value !== 'object' || value === null) return []
  if (level >= deepest) return at('is nested too deeply')
  const faults = Object.entries(value).flatMap(([key, child]) => {
    const inner = path ? `${path}.${key}` : key
    if (key === '__proto__') return [{ field: inner, message: 'is not known here' }]
    const keyFaults = findFaults(key, path, level + 1)
    return keyFaults.length > 0 ? keyFaults : findFaults(child, inner, level + 1)
  })
  return faults.slice(0, mostErrors)
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.slice(0, mostErrors).flatMap(issue => {
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
