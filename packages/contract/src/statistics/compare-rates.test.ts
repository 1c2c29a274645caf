import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareRates, type Counted, scoreInterval } from './compare-rates.ts'
import { normalCdf, normalQuantile } from './normal.ts'

const of = (x: number, n: number): Counted => ({ n, x })

describe('normal distribution', () => {
  test.each([
    [0, 0.5],
    [1, 0.841344746069],
    [1.959963984540054, 0.975],
    [-2.5, 0.006209665326],
    [4, 0.999968328758],
  ])('the share below %d', (z, share) => {
    expect(normalCdf(z)).toBeCloseTo(share, 11)
  })

  test('quantiles are the inverse', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), p => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 11)
      }),
    )
  })
})

/** Newcombe 1998, Statistics in Medicine 17, 873–890, table II, method 10, 95 %. */
test.each([
  [of(48, 80), of(56, 70), 0.2, 0.0524, 0.3339],
  [of(3, 10), of(9, 10), 0.6, 0.1705, 0.809],
  [of(2, 7), of(6, 7), 0.5714, 0.0582, 0.8062],
  [of(0, 29), of(5, 56), 0.0893, -0.0381, 0.1926],
  [of(0, 20), of(0, 10), 0, -0.1611, 0.2775],
  [of(0, 10), of(0, 10), 0, -0.2775, 0.2775],
  [of(0, 20), of(10, 10), 1, 0.6791, 1],
  [of(0, 10), of(10, 10), 1, 0.6075, 1],
])('the interval of a difference is that of the publication: %o, %o', (a, b, difference, low, high) => {
  const compared = compareRates(a, b, 0.95)
  expect(compared.difference).toBeCloseTo(difference, 4)
  expect(compared.low).toBeCloseTo(low, 4)
  expect(compared.high).toBeCloseTo(high, 4)
})

test('the interval of a rate is Wilson’s', () => {
  const { low, high } = scoreInterval(of(81, 263), 0.95)
  expect([low, high].map(limit => limit.toFixed(4))).toEqual(['0.2553', '0.3662'])
  expect(scoreInterval(of(0, 20), 0.95)).toMatchObject({ low: 0 })
  expect(scoreInterval(of(20, 20), 0.95)).toMatchObject({ high: 1 })
})

test('p is that of the pooled z test', () => {
  // z = 0.2 / sqrt(0.69333 × 0.30667 × (1/80 + 1/70)) = 2.6502
  expect(compareRates(of(48, 80), of(56, 70), 0.95).p).toBeCloseTo(0.0080435, 5)
  expect(compareRates(of(10, 100), of(10, 100), 0.95).p).toBe(1)
})

test('the chance of b agrees with integration of both distributions', () => {
  for (const [a, b] of [
    [of(3, 10), of(5, 12)],
    [of(0, 5), of(0, 5)],
    [of(40, 400), of(52, 390)],
    [of(7, 7), of(1, 9)],
  ] as const)
    expect(compareRates(a, b, 0.95).chance_b_better).toBeCloseTo(integrated(a, b), 6)
})

/** P(b > a) by the trapezoidal rule over both densities. */
function integrated(a: Counted, b: Counted): number {
  const steps = 20_000
  const weight = ({ n, x }: Counted, rate: number) => {
    const log = x * Math.log(rate) + (n - x) * Math.log(1 - rate)
    return Math.exp(log - (x > 0 && x < n ? x * Math.log(x / n) + (n - x) * Math.log(1 - x / n) : 0))
  }
  let [below, allA, both, allB] = [0, 0, 0, 0]
  for (let step = 0; step < steps; step += 1) {
    const rate = (step + 0.5) / steps
    const [ofA, ofB] = [weight(a, rate), weight(b, rate)]
    below = allA + ofA / 2
    allA += ofA
    both += ofB * below
    allB += ofB
  }
  return both / allB / allA
}

test('groups that say nothing have no figures', () => {
  const none = { difference: null, low: null, high: null, p: null, chance_b_better: null }
  expect(compareRates(of(0, 0), of(1, 2), 0.95)).toEqual({ rate_a: null, rate_b: 0.5, ...none })
  expect(compareRates(of(0, 9), of(0, 5), 0.95).p).toBeNull()
  expect(compareRates(of(9, 9), of(5, 5), 0.95).p).toBeNull()
})

test('exchanged groups mirror the comparison', () => {
  const counted = fc
    .integer({ min: 1, max: 3_000 })
    .chain(n => fc.integer({ min: 0, max: n }).map(x => of(x, n)))
  fc.assert(
    fc.property(counted, counted, (a, b) => {
      const [there, back] = [compareRates(a, b, 0.9), compareRates(b, a, 0.9)]
      expect(back.low).toBeCloseTo(-Number(there.high), 10)
      expect(back.p ?? 0).toBeCloseTo(there.p ?? 0, 10)
      expect(Number(there.chance_b_better) + Number(back.chance_b_better)).toBeCloseTo(1, 8)
      expect(there.low).toBeLessThanOrEqual(Number(there.difference) + 1e-12)
      expect(there.high).toBeGreaterThanOrEqual(Number(there.difference) - 1e-12)
    }),
  )
})
