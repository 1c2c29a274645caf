import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { growthOf, MAX_GROWTH } from '../test/growth.ts'
import { splitText, textFinder } from './find-text.ts'

const letters = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b'), { minLength, maxLength }).map(all => all.join(''))

it('text search: finds and splits as String methods do, also with long patterns', () => {
  const pattern = fc.oneof(letters(1, 5), letters(65, 70), fc.constant('ab'.repeat(40)))
  fc.assert(
    fc.property(pattern, fc.array(letters(0, 9), { maxLength: 6 }), fc.nat(200), (what, between, from) => {
      const text = between.join(what)
      expect(splitText(text, what)).toEqual(text.split(what))
      expect(textFinder(what)(text, from)).toBe(text.indexOf(what, from))
    }),
    { numRuns: 500 },
  )
})

it('text search: takes linear time if a pattern nearly matches everywhere', () => {
  const near = (size: number) => `b${'a'.repeat(500)}`.repeat(size / 500) + 'a'.repeat(size)
  expect(growthOf(size => textFinder(`b${'a'.repeat(size / 8)}`)(near(size)), 16_000)).toBeLessThan(
    MAX_GROWTH,
  )
})
