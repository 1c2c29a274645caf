import { describe, expect, it } from 'vitest'
import { isCreatable, matches } from './match-option.ts'

describe('R270 matches', () => {
  it('ignores case, accents and surrounding whitespace', () => {
    expect(matches('Müller (3)', 'muller ')).toBe(true)
    expect(matches('Ángel Núñez', 'ANGEL nunez')).toBe(true)
    expect(matches('Müller', 'Mueller')).toBe(false)
  })

  it('matches everything without a search', () => {
    expect(matches('anything', '  ')).toBe(true)
  })
})

describe('R269 isCreatable', () => {
  it('offers nothing for blank text', () => {
    expect(isCreatable('', [])).toBe(false)
    expect(isCreatable('   ', ['x'])).toBe(false)
  })

  it('ignores a trailing count', () => {
    expect(isCreatable('Müller', ['Müller (3)'])).toBe(false)
    expect(isCreatable('muller ', ['Müller (3)'])).toBe(false)
    expect(isCreatable('Mueller', ['Müller (3)'])).toBe(true)
    expect(isCreatable('Müller', ['Müller (old)'])).toBe(true)
  })
})
