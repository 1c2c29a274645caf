import { expect, test } from 'vitest'
import { isAmericanClock } from './clock.ts'

test.each([
  ['en', 'America/New_York', true],
  ['en', 'Pacific/Honolulu', true],
  ['en', 'Europe/Berlin', false],
  ['en', 'UTC', false],
  ['de', 'America/New_York', false],
])('clock of %s in %s: American %s', (language, zone, isAmerican) => {
  expect(isAmericanClock(language, zone)).toBe(isAmerican)
})
