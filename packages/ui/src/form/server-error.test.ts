import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import { describe, expect, it } from 'vitest'
import { errorsByField, fieldErrorsOf, isConflict } from './server-error.ts'

describe('server errors', () => {
  it('distinguishes a stale revision from other conflicts by its text (T27)', () => {
    expect(isConflict(new EmmaError('faulty_revision'))).toBe(true)
    expect(isConflict(new EmmaError('domain_in_setup'))).toBe(false)
  })

  it('finds the fields that an error names', () => {
    const fields = [fieldError('name', 'field.required')]
    expect(fieldErrorsOf(invalid(fields))).toEqual(fields)
    expect(fieldErrorsOf(new Error('x'))).toEqual([])
    expect(fieldErrorsOf({ fields: ['x', { field: 1 }] })).toEqual([])
  })

  it('assigns errors to their inputs and keeps the others', () => {
    const errors = [
      { field: 'query.rules.0.field', message: 'unknown: foo' },
      { field: 'name', message: 'is required' },
      { field: 'name', message: 'second' },
      { field: 'client_id', message: 'is required' },
    ]
    expect(errorsByField(errors, field => ['query', 'name'].includes(field))).toEqual({
      fields: { query: 'rules.0.field: unknown: foo', name: 'is required' },
      others: ['client_id: is required'],
    })
  })
})
