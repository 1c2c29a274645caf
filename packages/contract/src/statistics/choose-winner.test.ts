import { describe, expect, it } from 'vitest'
import { chooseWinner } from './choose-winner.ts'
import { detectableDifference, neededSample } from './needed-sample.ts'
import { chiSquaredTail, sampleRatioP } from './sample-ratio.ts'

const rule = { level: 0.95, otherwise: 'best' } as const

describe('chooseWinner', () => {
  it('names the leader if it is better than all others', () => {
    const variants = [
      { n: 1000, x: 30 },
      { n: 1000, x: 80 },
      { n: 1000, x: 35 },
    ]
    expect(chooseWinner(variants, rule)).toEqual({ reason: 'significant', winner: 1 })
  })

  it('says that nobody is better if one of the others may be as good', () => {
    const variants = [
      { n: 1000, x: 30 },
      { n: 1000, x: 80 },
      { n: 1000, x: 76 },
    ]
    expect(chooseWinner(variants, rule)).toEqual({ reason: 'best', winner: 1 })
    expect(chooseWinner(variants, { ...rule, otherwise: 'control' })).toEqual({
      reason: 'control',
      winner: 0,
    })
    expect(chooseWinner(variants, { ...rule, otherwise: 'nobody' })).toEqual({
      reason: 'nobody',
      winner: null,
    })
    expect(chooseWinner(variants, { ...rule, otherwise: 'ask' })).toEqual({ reason: 'ask', winner: null })
  })

  it('asks more of each comparison, the more variants there are', () => {
    const two = [
      { n: 1000, x: 50 },
      { n: 1000, x: 72 },
    ]
    expect(chooseWinner(two, rule).reason).toBe('significant')
    expect(chooseWinner([...two, { n: 1000, x: 50 }, { n: 1000, x: 50 }], rule).reason).toBe('best')
  })

  it('takes the control without any data, and with equal rates', () => {
    expect(chooseWinner(Array(3).fill({ n: 0, x: 0 }), rule)).toEqual({ reason: 'best', winner: 0 })
    expect(chooseWinner(Array(3).fill({ n: 200, x: 0 }), rule)).toEqual({ reason: 'best', winner: 0 })
    const empty = [
      { n: 0, x: 0 },
      { n: 100, x: 1 },
    ]
    expect(chooseWinner(empty, rule)).toEqual({ reason: 'best', winner: 1 })
  })

  it('is wrong at most as often as its level says, when all variants are equal', () => {
    let seed = 1
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const draw = () => ({
      n: 400,
      x: Array.from({ length: 400 }, random).filter(value => value < 0.1).length,
    })
    const won = Array.from({ length: 600 }, () =>
      chooseWinner(
        Array.from({ length: 3 }, () => draw()),
        rule,
      ),
    ).filter(({ reason }) => reason === 'significant').length
    expect(won / 600).toBeLessThan(0.05)
  })
})

describe('neededSample', () => {
  it('agrees with published tables', () => {
    // Two-sided 5 %, power 80 %.
    expect(neededSample({ rate: 0.05, level: 0.95, variants: 2 }, 0.01)).toBe(8158)
    expect(neededSample({ rate: 0.5, level: 0.95, variants: 2 }, 0.1)).toBe(388)
    expect(neededSample({ rate: 0.05, level: 0.95, variants: 2 }, 0)).toBe(Infinity)
  })

  it('is the inverse of the detectable difference', () => {
    const plan = { rate: 0.03, level: 0.95, variants: 4 }
    const difference = detectableDifference(plan, 5000)
    expect(neededSample(plan, difference ?? 0)).toBe(5000)
    expect(detectableDifference(plan, 1)).toBeNull()
  })
})

describe('sampleRatioP', () => {
  it('agrees with the quantiles of the chi-squared distribution', () => {
    const quantiles = [3.841459, 5.991465, 7.814728, 9.487729, 11.0705, 12.59159, 14.06714]
    for (const [index, value] of quantiles.entries())
      expect(chiSquaredTail(value, index + 1)).toBeCloseTo(0.05, 6)
  })

  it('finds groups that chance does not explain', () => {
    expect(sampleRatioP([1000, 1010, 990])).toBeGreaterThan(0.5)
    expect(sampleRatioP([1000, 1200])).toBeLessThan(0.0001)
    expect(sampleRatioP([0, 0])).toBe(1)
    expect(sampleRatioP([12])).toBe(1)
  })
})
