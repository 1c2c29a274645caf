import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareRate } from './share-rate.ts'

test('what a flow cannot use is divided over the others', () => {
  expect(shareRate(90, [10, 100, 100])).toEqual([10, 40, 40])
  expect(shareRate(30, [10, 5])).toEqual([10, 5])
  expect(shareRate(30, [Number.POSITIVE_INFINITY])).toEqual([30])
  expect(shareRate(Number.POSITIVE_INFINITY, [7, Number.POSITIVE_INFINITY])).toEqual([
    7,
    Number.POSITIVE_INFINITY,
  ])
  expect(shareRate(30, [])).toEqual([])
})

test('the rates add up to the rate, or to the caps if these are lower, and none is above its cap', () => {
  const rate = fc.double({ min: 0.001, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(rate, fc.array(rate, { minLength: 1 }), (whole, caps) => {
      const rates = shareRate(whole, caps)
      const sum = rates.reduce((total, one) => total + one, 0)
      const most = Math.min(
        whole,
        caps.reduce((total, one) => total + one, 0),
      )
      expect(sum).toBeCloseTo(most, 3)
      for (const [index, one] of rates.entries()) expect(one).toBeLessThanOrEqual(caps[index] ?? 0)
    }),
  )
})
