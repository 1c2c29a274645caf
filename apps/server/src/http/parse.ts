import { EmmaError, type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import { faultOfIssue } from '@emma/contract/schema-faults.ts'
import type { z } from 'zod'
import { API_LIMITS } from '../network/limits.ts'

/** Parses the body by its schema; names every faulty field (`rules.0.field`). Throws `invalid`. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const faults = findFaults(body)
  if (faults.length > 0) throw invalid(faults)
  const parsed = schema.safeParse(emptyToNull(body))
  if (parsed.success) return parsed.data
  throw invalid(fieldErrors(parsed.error))
}

/** Parses path and query parameters. Throws `bad_request`. */
export function parseQuery<S extends z.ZodType>(schema: S, query: unknown): z.infer<S> {
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  throw new EmmaError('bad_request', undefined, fieldErrors(parsed.error))
}

/** Parses a record's key in a path. An invalid key is not found. */
export function parseId(text: unknown): number {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new EmmaError('not_found')
  return id
}

/** Maximum number of reported faults, to bound the response. */
const mostErrors = 50

/**
 * Finds what no field may contain, at any depth, so that schemas need not check it. The number of values is bounded
 * when the body is parsed (`parseJson`).
 */
function findFaults(body: unknown): FieldError[] {
  const faults: FieldError[] = []
  const path: string[] = []
  const report = (code: 'field.broken' | 'field.number_too_large' | 'field.too_deep' | 'field.unknown') =>
    faults.push(fieldError(path.join('.') || 'body', code))

  function checkText(text: string): boolean {
    const isPlain = !text.includes('\u0000') && text.isWellFormed()
    if (!isPlain) report('field.broken')
    return isPlain
  }

  function visit(value: unknown): void {
    if (faults.length >= mostErrors) return
    if (typeof value === 'string') return void checkText(value)
    if (typeof value === 'number') return void (Number.isFinite(value) || report('field.number_too_large'))
    if (typeof value !== 'object' || value === null) return
    // Twice the depth of the deepest rule query.
    if (path.length >= API_LIMITS.bodyDepth) return void report('field.too_deep')
    for (const key of Object.keys(value)) {
      if (!checkText(key)) continue
      path.push(key)
      if (key === '__proto__') report('field.unknown')
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
      return issue.keys.map(key => fieldError(path ? `${path}.${key}` : key, 'field.unknown'))
    return [{ field: path || 'body', ...faultOfIssue(issue) }]
  })
}

/** R169: empty strings become null, one level deep (strings inside structures stay unchanged). */
function emptyToNull(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, value === '' ? null : value]),
  )
}
