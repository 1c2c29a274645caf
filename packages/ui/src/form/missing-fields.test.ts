import { describe, expect, it } from 'vitest'
import { isMarked, missingFields } from './missing-fields.ts'

const labels = { name: 'Name', domain_id: 'Domain', relay_host: 'Relay host', copy_from: 'Copy from' }
const required = ['name', 'domain_id', ['relay_host', 'copy_from']]

describe('R276 missingFields', () => {
  it('lists all labels, alternatives joined with "or"', () => {
    const missing = missingFields({ name: ' ', domain_id: null }, required, labels, 'or')
    expect(missing.map(entry => entry.label)).toEqual(['Name', 'Domain', 'Relay host or Copy from'])
  })

  it('counts empty text, null, undefined and empty arrays as missing, 0 and false as present', () => {
    const values = { a: '', b: null, c: undefined, d: [], e: 0, f: false }
    const missing = missingFields(values, ['a', 'b', 'c', 'd', 'e', 'f'], {}, 'or')
    expect(missing.map(entry => entry.label)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('accepts one of the alternatives', () => {
    expect(missingFields({ name: 'x', domain_id: 1, copy_from: 3 }, required, labels, 'oder')).toEqual([])
  })

  it.each([
    [{}, ['name', 'domain_id', 'relay_host', 'copy_from']],
    [{ name: 'x', relay_host: 'a.example' }, ['name', 'domain_id', 'relay_host']],
    [{ relay_host: 'a.example', copy_from: 3 }, ['name', 'domain_id']],
  ])('marks required fields, and alternatives while the others are missing: %o', (values, marked) => {
    expect(Object.keys(labels).filter(field => isMarked(field, values, required))).toEqual(marked)
  })
})
