import { describe, expect, it } from 'vitest'
import { type MappingTarget, mappingFaults, matchColumns } from './match-columns.ts'

const targets: MappingTarget[] = [
  { value: 'email', label: 'Email address', isRequired: true, synonyms: ['mail'] },
  { value: 'firstname', label: 'First name' },
  { value: 'city', label: 'Städte' },
]

describe('matchColumns', () => {
  it('matches by field, label and synonym, ignoring spelling variants', () => {
    expect(matchColumns(['E-Mail', 'FIRST_NAME', 'stadte', 'Shoe size'], targets)).toEqual({
      'E-Mail': 'email',
      FIRST_NAME: 'firstname',
      stadte: 'city',
      'Shoe size': null,
    })
  })

  it('assigns each target to one column only', () => {
    expect(matchColumns(['mail', 'email'], targets)).toEqual({ mail: 'email', email: null })
  })
})

describe('mappingFaults', () => {
  it('returns duplicate and missing targets', () => {
    const faults = mappingFaults({ a: 'city', b: 'city', c: null }, targets)
    expect(faults.twice.map(target => target.value)).toEqual(['city'])
    expect(faults.missing.map(target => target.value)).toEqual(['email'])
    expect(mappingFaults({ a: 'email' }, targets)).toEqual({ twice: [], missing: [] })
  })
})
