import { expect, test } from 'vitest'
import { isSnowSeason } from './snow-season.ts'

test.each([
  ['2026-11-30T23:59', false],
  ['2026-12-01T00:00', true],
  ['2026-12-31T12:00', true],
  ['2027-01-06T23:59', true],
  ['2027-01-07T00:00', false],
  ['2027-07-01T12:00', false],
])('R014 on %s it snows: %s', (day, expected) => {
  expect(isSnowSeason(new Date(day))).toBe(expected)
})
