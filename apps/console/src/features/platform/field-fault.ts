import { ApiError } from '@emma/client/api-error.ts'
import { errorText } from '../../shell/i18n/error-text.ts'
import { translateFault } from '../../shell/i18n/translate-error.ts'

/** What the server says is wrong with a field, in the person's language; null when it says nothing of it. */
export function fieldFault(error: unknown, field: string): string | null {
  const fault =
    error instanceof ApiError ? error.fields.find(one => one.field.split('.')[0] === field) : undefined
  return fault ? translateFault(fault.message) : null
}

/** What went wrong besides faulty fields, which say so themselves; null when there is nothing more. */
export function otherFault(error: unknown): string | null {
  if (!error || (error instanceof ApiError && error.fields.length > 0)) return null
  return errorText(error)
}
