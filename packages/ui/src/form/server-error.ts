import type { FieldError } from '@emma/contract/errors.ts'

/** Message of a write with a stale revision (R163, T27: recognized by text). */
const staleRevision = 'Faulty X-Revision value provided'

/** True if the record was changed since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && error.message.includes(staleRevision)
}

/** Field errors of an error; empty if it has none. */
export function fieldErrorsOf(error: unknown): readonly FieldError[] {
  if (typeof error !== 'object' || error === null || !('fields' in error)) return []
  const { fields } = error
  if (!Array.isArray(fields)) return []
  return fields.filter(isFieldError)
}

function isFieldError(entry: unknown): entry is FieldError {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'field' in entry &&
    'message' in entry &&
    typeof entry.field === 'string' &&
    typeof entry.message === 'string'
  )
}

/** Assigns errors to inputs: an error deep in a value (`rules.0.field`) belongs to its input (`rules`). */
export function errorsByField(
  errors: readonly Pick<FieldError, 'field' | 'message'>[],
  known: (field: string) => boolean,
): { fields: Record<string, string>; others: string[] } {
  const fields: Record<string, string> = {}
  const others: string[] = []
  for (const { field, message } of errors) {
    const [input = field, ...path] = field.split('.')
    if (!known(input)) others.push(`${field}: ${message}`)
    else if (fields[input] === undefined)
      fields[input] = path.length > 0 ? `${path.join('.')}: ${message}` : message
  }
  return { fields, others }
}
