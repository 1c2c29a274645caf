import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pixelsOf, scaledTo } from './image-pixels.ts'

const share = fc.double({ min: 0, max: 100, noNaN: true })
const size = fc.record({
  width: fc.integer({ min: 1, max: 9000 }),
  height: fc.integer({ min: 1, max: 9000 }),
})

test('a part of an image has whole pixels and lies within it', () => {
  const part = fc.record({ x: share, y: share, width: share, height: share })
  fc.assert(
    fc.property(part, size, (percent, image) => {
      const { left, top, width, height } = pixelsOf({ unit: '%', ...percent }, image)
      expect([left, top, width, height].every(Number.isInteger)).toBe(true)
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(1)
      expect(left + width).toBeLessThanOrEqual(image.width)
      expect(top + height).toBeLessThanOrEqual(image.height)
    }),
  )
})

test('an image keeps its shape when it is scaled, and is not enlarged', () => {
  expect(scaledTo({ width: 1200, height: 800 }, 600)).toEqual({ width: 600, height: 400 })
  expect(scaledTo({ width: 300, height: 200 }, 600)).toEqual({ width: 300, height: 200 })
  expect(scaledTo({ width: 300, height: 200 }, null)).toEqual({ width: 300, height: 200 })
  expect(scaledTo({ width: 9000, height: 2 }, 10)).toEqual({ width: 10, height: 1 })
})
