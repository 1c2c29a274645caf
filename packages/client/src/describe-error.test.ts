import { expect, test } from 'vitest'
import { ApiError, isReportable } from './api-error.ts'
import { describeError } from './describe-error.ts'

test.each([
  ['Domain is already being setup.', { key: 'errors.domain_in_setup' }],
  ['Faulty X-Revision value provided', { key: 'errors.faulty_revision' }],
  ['SQLSTATE[08006]: Connection failure', { key: 'errors.sql_connection' }],
  ['SQLSTATE[HY000] [2002] refused', { key: 'errors.sql_connection' }],
  ['Expired token', { key: 'errors.token_expired' }],
  ['Login token has expired!', { key: 'errors.token_expired' }],
  [
    'SQLSTATE[23505]: Unique violation: Key (email)=(a@b.de) already exists.',
    { key: 'errors.unique_violation', values: { key: 'email', value: 'a@b.de' } },
  ],
  ['Failed to fetch dynamically imported module: https://x/assets/a-1.js', { key: 'errors.network' }],
  ['error loading dynamically imported module: https://x/assets/a-1.js', { key: 'errors.network' }],
  ['Importing a module script failed.', { key: 'errors.network' }],
  ['Unable to preload CSS for https://x/assets/a-1.css', { key: 'errors.network' }],
  ['', { key: 'errors.generic_message' }],
  ['The segment is empty.', { text: 'The segment is empty.' }],
])('R316 T10 %j', (message, description) => {
  expect(describeError(new Error(message))).toEqual(description)
})

test('R316 a missing server has its own text', () => {
  const error = new ApiError('fetch failed', { status: 0, code: 'network', url: '/x' })
  expect(describeError(error)).toEqual({ key: 'errors.network' })
})

test.each([
  'Faulty X-Revision value provided',
  'Login token has expired!',
  'No token found!',
  'Expired token',
  'Unauthorized',
  'Wrong user or password',
  'Failed to fetch',
  'The operation was aborted.',
  'NetworkError when attempting to fetch resource.',
  'Load failed',
])('R320 T10 %j is not a bug', message => {
  expect(isReportable(new Error(message))).toBe(false)
})

test('R320 other errors are reported', () => {
  expect(isReportable(new TypeError('x is not a function'))).toBe(true)
})
