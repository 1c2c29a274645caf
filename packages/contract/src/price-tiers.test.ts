import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { graduatedPrice, type PriceTier, priceTiers } from './price-tiers.ts'

const tiers: PriceTier[] = [
  { from: 0, price_per_thousand: 1.2 },
  { from: 100_000, price_per_thousand: 0.9 },
  { from: 1_000_000, price_per_thousand: 0.4567 },
]

describe('R045 graduatedPrice', () => {
  test.each([
    [0, 0],
    [1, 0],
    [1_000, 120],
    [100_000, 12_000],
    [100_001, 12_000],
    [250_000, 12_000 + 13_500],
    [1_000_000, 12_000 + 81_000],
    [1_000_011, 93_001],
    [1_000_010, 93_000],
    [3_000_000, 93_000 + 91_340],
  ])('%i emails cost %i minor units', (emails, price) => {
    expect(graduatedPrice(emails, tiers)).toBe(price)
  })

  test('no tiers: no price', () => {
    expect(graduatedPrice(1_000, [])).toBeNull()
  })

  test('rounds the sum half up, without errors of floats', () => {
    // 0.285 € is 0.28499999999999998 as a float.
    expect(graduatedPrice(1_000, [{ from: 0, price_per_thousand: 0.285 }])).toBe(29)
    expect(graduatedPrice(10_000_000_000, [{ from: 0, price_per_thousand: 9_999.9999 }])).toBe(
      9_999_999_900_000,
    )
  })

  test('never falls with more emails', () => {
    assert(
      property(integer({ min: 0, max: 2_000_000 }), integer({ min: 0, max: 2_000_000 }), (some, more) => {
        expect(graduatedPrice(some + more, tiers)).toBeGreaterThanOrEqual(graduatedPrice(some, tiers) ?? 0)
      }),
    )
  })
})

describe('R045 priceTiers', () => {
  const faults = (value: unknown) =>
    priceTiers.safeParse(value).error?.issues.map(issue => issue.message) ?? []

  test('begin at 0 and ascend', () => {
    expect(faults(tiers)).toEqual([])
    expect(faults([])).toEqual([])
    expect(faults([{ from: 1, price_per_thousand: 1 }])).toEqual(['field.price_tiers'])
    expect(faults([tiers[0], { from: 0, price_per_thousand: 1 }])).toEqual(['field.price_tiers'])
    expect(faults([tiers[0], tiers[2], tiers[1]])).toEqual(['field.price_tiers'])
  })

  test('prices have four decimal places at most', () => {
    expect(faults([{ from: 0, price_per_thousand: 0.1234 }])).toEqual([])
    expect(faults([{ from: 0, price_per_thousand: 0.12345 }])).toEqual(['field.price'])
    expect(faults([{ from: 0, price_per_thousand: -1 }])).toHaveLength(1)
    expect(faults([{ from: 0.5, price_per_thousand: 1 }])).toHaveLength(1)
  })

  test('there are ten at most', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ from: index * 1000, price_per_thousand: 1 }))
    expect(faults(many(10))).toEqual([])
    expect(faults(many(11))).toHaveLength(1)
  })
})
