import { ApiError } from '@emma/client/api-error.ts'
import { exists, t } from 'i18next'
import { textOfFault } from './text-of-fault.ts'

/** Translates a rejected call, including its field errors; null if there is no translation. */
export function translateError(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.fault) return textOfFault(error.fault)
  if (error.fields.length > 0)
    return error.fields.map(({ field, ...fault }) => `${field}: ${textOfFault(fault)}`).join('; ')
  const key = `error_codes.${error.code}`
  return exists(key) ? t(key) : null
}
