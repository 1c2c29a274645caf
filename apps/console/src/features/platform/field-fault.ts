import { ApiError } from '@emma/client/api-error.ts'
import { errorText } from '../../shell/i18n/error-text.ts'
import { textOfFault } from '../../shell/i18n/text-of-fault.ts'

/** Translated error of a field; null if it has none. */
export function fieldFault(error: unknown, field: string): string | null {
  const fault =
    error instanceof ApiError ? error.fields.find(one => one.field.split('.')[0] === field) : undefined
  return fault ? textOfFault(fault) : null
}

/** Translated error that belongs to no field; null if there is none. */
export function otherFault(error: unknown): string | null {
  if (!error || (error instanceof ApiError && error.fields.length > 0)) return null
  return errorText(error)
}
