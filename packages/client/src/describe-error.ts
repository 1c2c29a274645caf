import { ApiError } from './api-error.ts'

/** Text for the user: a translation key with values, or a text to show unchanged. */
export type ErrorDescription = { key: string; values?: Record<string, string> } | { text: string }

/**
 * Maps an error to a text of the console (R316). By message, not by status: 409 is both a stale revision and a domain
 * that is being set up (T27).
 */
export function describeError(error: unknown): ErrorDescription {
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : ''
  if (message.trim() === '') return { key: 'errors.generic_message' }
  if (error instanceof ApiError && error.code === 'network') return { key: 'errors.network' }
  const duplicate = /Key \((.+?)\)=\((.*?)\) already exists/s.exec(message)
  if (duplicate)
    return { key: 'errors.unique_violation', values: { key: duplicate[1]!, value: duplicate[2]! } }
  const known = wordings.find(([pattern]) => pattern.test(message))
  return known ? { key: known[1] } : { text: message }
}

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
  [/^token invalid$/, 'errors.token_invalid'],
  [/^Wrong user or password$/, 'errors.wrong_login'],
  [/^Second factor required$/, 'errors.second_factor_required'],
  [/^Wrong code$/, 'errors.second_factor_wrong'],
  [/^Sign-in failed/, 'errors.sign_in_failed'],
  [/^Account locked\./, 'errors.locked'],
  [/^Forbidden$/, 'errors.forbidden'],
  [/^Not found$/, 'errors.not_found'],
  [/^Internal error$/, 'errors.internal'],
  [/^Too many requests/, 'errors.too_many'],
  [/^The server is busy/, 'errors.busy'],
  [/^This takes too long/, 'errors.too_slow'],
  [/^The disk of the server is almost full/, 'errors.disk_full'],
  [/^not supported in demo$/, 'errors.not_in_demo'],
  [/^SQLSTATE\[23505\]/, 'errors.duplicate'],
]
