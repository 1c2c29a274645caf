import { describe, expect, it } from 'vitest'
import { closest } from './closest.ts'

describe('closest', () => {
  it.each<[word: string, known: string[], found: string | null]>([
    ['fistname', ['lastname', 'firstname'], 'firstname'],
    ['fristname', ['firstname'], 'firstname'],
    ['First_Name', ['firstname'], 'firstname'],
    ['city', ['zip', 'street'], null],
    ['ab', ['cd'], null],
    ['', ['a'], null],
    ['shoe_size', ['firstname'], null],
    ['upcas', ['capitalize', 'upcase'], 'upcase'],
  ])('%s among %j is %s', (word, known, found) => {
    expect(closest(word, known)).toBe(found)
  })

  it('accepts words of any length', () => {
    expect(closest('x'.repeat(100_000), ['y'.repeat(100_000)])).toBeNull()
  })
})
