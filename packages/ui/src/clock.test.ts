import { expect, test } from 'vitest'
import { hasTwelveHours, startsOnSunday } from './clock.ts'

test.each([
  ['en', 'America/New_York', true, true],
  ['en-US', 'Pacific/Honolulu', true, true],
  ['en', 'Europe/Berlin', false, false],
  ['en-US', 'Europe/Berlin', false, false],
  ['en', 'UTC', false, false],
  ['en-GB', 'America/New_York', false, false],
  ['en-AU', 'Australia/Sydney', true, false],
  ['en-CA', 'America/Toronto', true, true],
  ['de', 'America/New_York', false, false],
  ['de-AT', 'Europe/Vienna', false, false],
  ['es', 'Europe/Madrid', false, false],
  ['es-MX', 'America/Mexico_City', true, true],
])('clock of %s in %s: 12 hours %s, weeks from Sunday %s', (locale, zone, isTwelve, isSunday) => {
  expect(hasTwelveHours(locale, zone)).toBe(isTwelve)
  expect(startsOnSunday(locale, zone)).toBe(isSunday)
})
