import { ApiError, type ApiErrorCode } from './api-error.ts'

/** Text for the user: a translation key with values, or a text to show unchanged. */
export type ErrorDescription = { key: string; values?: Record<string, string> } | { text: string }

/**
 * Maps an error to a text of the console (R316). By message, not by status: 409 is both a stale revision and a domain
 * that is being set up (T27).
 */
export function describeError(error: unknown): ErrorDescription {
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  if (message.trim() === '') return { key: 'errors.generic_message' }
  const duplicate = /Key \((.+?)\)=\((.*?)\) already exists/s.exec(message)
  if (duplicate)
    return { key: 'errors.unique_violation', values: { key: duplicate[1]!, value: duplicate[2]! } }
  const code = error instanceof ApiError ? error.code : 'unknown'
  if (codesWithText.has(code)) return { key: `errors.${code}` }
  const known = wordings.find(([pattern]) => pattern.test(message))
  return known ? { key: known[1] } : { text: message }
}

/** Codes whose text is that of the error, whatever its message says. */
const codesWithText: ReadonlySet<ApiErrorCode> = new Set([
  'network',
  'domain_in_setup',
  'faulty_revision',
  'token_expired',
  'no_token',
  'token_invalid',
  'wrong_login',
  'second_factor_required',
  'second_factor_wrong',
  'locked',
  'forbidden',
  'not_found',
  'too_many',
  'busy',
  'too_slow',
  'disk_full',
  'not_in_demo',
])

/** Messages that come without a code: of the browser, and of other servers of this API. */

const wordings: readonly (readonly [RegExp, string])[] = [
  // A failed import, in the words of Chromium, Firefox, Safari and the bundler.
  [
    /^(Failed to fetch|error loading) dynamically imported module|^Importing a module script failed|^Unable to preload CSS/,
    'errors.network',
  ],
  [/^Domain is already being setup\.$/, 'errors.domain_in_setup'],
  [/Faulty X-Revision value provided/, 'errors.faulty_revision'],
  [/SQLSTATE\[?\s*(08006|HY000)/, 'errors.sql_connection'],
  [/Expired token|Login token has expired!/, 'errors.token_expired'],
  [/^No token found!$/, 'errors.no_token'],
  [/^Internal error$/, 'errors.internal'],
  [/^SQLSTATE\[23505\]/, 'errors.duplicate'],
]
