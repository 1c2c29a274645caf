import { describe, expect, it } from 'vitest'
import { sparklinePath } from './sparkline-path.ts'

describe('sparklinePath', () => {
  it('scales the values to the full height, the highest at the top', () => {
    expect(sparklinePath([0, 10, 5], 100, 23)).toBe('M0,21.5 L50,1.5 L100,11.5')
  })

  it('centers equal values vertically', () => {
    expect(sparklinePath([7, 7], 10, 20)).toBe('M0,10 L10,10')
  })

  it('draws one value as a horizontal line', () => {
    expect(sparklinePath([7], 10, 20)).toBe('M0,10 H10')
  })
})
