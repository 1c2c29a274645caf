import { describe, expect, it } from 'vitest'
import { sparklinePath } from './sparkline-path.ts'

describe('sparklinePath', () => {
  it('spreads the values over the whole room, the highest on top', () => {
    expect(sparklinePath([0, 10, 5], 100, 23)).toBe('M0,21.5 L50,1.5 L100,11.5')
  })

  it('keeps equal values in the middle', () => {
    expect(sparklinePath([7, 7], 10, 20)).toBe('M0,10 L10,10')
  })

  it('draws one value as a level line', () => {
    expect(sparklinePath([7], 10, 20)).toBe('M0,10 H10')
  })
})
