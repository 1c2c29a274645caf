import { expect, test } from 'vitest'
import { hoursOf, windowOf } from './window.ts'

test.each([
  [1, 1, 'hours'],
  [24, 1, 'days'],
  [36, 36, 'hours'],
  [72, 3, 'days'],
  [168, 1, 'weeks'],
  [192, 8, 'days'],
] as const)('a window of %i hours is %i %s, and the same again', (hours, length, unit) => {
  expect(windowOf(hours)).toEqual({ length, unit })
  expect(hoursOf({ length, unit })).toBe(hours)
})
