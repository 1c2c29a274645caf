import { ApiError } from '@emma/client/api-error.ts'
import { expect, test } from 'vitest'
import { faultOfWarning, faultsOfError, placedFaults } from './template-faults.ts'

const error = new ApiError('no', {
  status: 422,
  code: 'invalid',
  url: '/x',
  fields: [
    {
      field: 'subject',
      code: 'field.place',
      values: {
        part: 'subject',
        line: 1,
        column: 4,
        fault: { message: 'This placeholder is never closed.' },
      },
      message: 'line 1, column 4: This placeholder is never closed.',
    },
    {
      field: 'body_mjml',
      code: 'field.place',
      values: {
        part: 'mjml',
        line: 12,
        column: 51,
        fault: { message: 'MJML leaves out what stands here: line 3, column 2.' },
      },
      message: 'line 12, column 51: MJML leaves out what stands here: line 3, column 2.',
    },
    { field: 'body_long', message: 'is too long' },
    { field: 'elsewhere', message: 'line 1, column 1: x' },
  ],
})

test('positions come from the values, not from the message', () => {
  expect(faultsOfError(error)).toEqual([
    { field: 'subject', message: 'This placeholder is never closed.', severity: 'error', line: 1, column: 4 },
    {
      field: 'body_mjml',
      message: 'MJML leaves out what stands here: line 3, column 2.',
      severity: 'error',
      line: 12,
      column: 51,
    },
    { field: 'body_long', message: 'is too long', severity: 'error', line: null, column: null },
  ])
})

test('an editor gets the faults of its field that have a position', () => {
  expect(placedFaults(faultsOfError(error), 'body_mjml')).toEqual([
    {
      line: 12,
      column: 51,
      message: 'MJML leaves out what stands here: line 3, column 2.',
      severity: 'error',
    },
  ])
  expect(placedFaults(faultsOfError(error), 'body_long')).toEqual([])
})

test('other errors have no position', () => {
  expect(faultsOfError(new Error('x'))).toEqual([])
})

test('a warning in HTML compiled from MJML has no position in the source', () => {
  const warning = { message: 'x', severity: 'warning' as const, part: 'html', line: 3, column: 7 }
  expect(faultOfWarning(warning, false)).toMatchObject({ field: 'body_long', line: 3, column: 7 })
  expect(faultOfWarning(warning, true)).toMatchObject({ field: 'body_mjml', line: null })
})
