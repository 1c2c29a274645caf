import { ApiError } from '@emma/client/api-error.ts'
import type { TFunction } from 'i18next'
import { errorText } from '../../shell/error-text.ts'

/** The server's words for a field, and the keys of ours. */
const known: readonly (readonly [RegExp, string])[] = [
  [/is not the present password/, 'password'],
  [/is not the code of the app/, 'code'],
  [/is required|must not be empty/, 'needed'],
  [/is not an e-mail address/, 'email'],
  [/does not exist/, 'gone'],
  [/you do not hold/, 'rights'],
  [/does not answer as/, 'issuer'],
  [/is not a web address/, 'address'],
  [/is not a domain/, 'domain'],
  [/needs at least 10 characters/, 'short'],
]

/** What the server says is wrong with a field, in the person's language; null when it says nothing of it. */
export function fieldFault(error: unknown, field: string, t: TFunction): string | null {
  const fault =
    error instanceof ApiError ? error.fields?.find(one => one.field.split('.')[0] === field) : undefined
  if (!fault) return null
  const key = known.find(([pattern]) => pattern.test(fault.message))?.[1]
  return key ? t(`platform.faults.${key}`) : fault.message
}

/** What went wrong besides faulty fields, which say so themselves; null when there is nothing more. */
export function otherFault(error: unknown): string | null {
  if (!error || (error instanceof ApiError && (error.fields?.length ?? 0) > 0)) return null
  return errorText(error)
}
