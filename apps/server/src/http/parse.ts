import { EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import type { z } from 'zod'
import { API_LIMITS } from '../network/limits.ts'

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

/**
 * What no field of any kind may hold, wherever it hangs: said here once, so that no schema can forget it. How many values
 * a body has is bounded where it is parsed (`parseJson`).
 */
function findFaults(body: unknown): FieldError[] {
  const faults: FieldError[] = []
  const path: string[] = []
  const report = (message: string) => faults.push({ field: path.join('.') || 'body', message })

  function checkText(text: string): boolean {
    const isPlain = !text.includes('\u0000') && text.isWellFormed()
    if (!isPlain) report('must not contain NUL or broken characters')
    return isPlain
  }

  function visit(value: unknown): void {
    if (faults.length >= mostErrors) return
    if (typeof value === 'string') return void checkText(value)
    if (typeof value === 'number') return void (Number.isFinite(value) || report('is too large a number'))
    if (typeof value !== 'object' || value === null) return
    // A rule query of the greatest depth fits twice.
    if (path.length >= API_LIMITS.bodyDepth) return void report('is nested too deeply')
    for (const key of Object.keys(value)) {
      if (!checkText(key)) continue
      path.push(key)
      if (key === '__proto__') report('is not known here')
      else visit(Reflect.get(value, key))
      path.pop()
    }
  }

  visit(body)
  return faults
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
