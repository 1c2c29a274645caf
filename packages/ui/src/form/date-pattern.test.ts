import { expect, test } from 'vitest'
import { datePattern } from './date-pattern.ts'

test.each([
  ['en', 'MMM D, YYYY'],
  ['en-GB', 'D MMM YYYY'],
  ['de', 'DD.MM.YYYY'],
  ['de-AT', 'DD.MM.YYYY'],
  ['es', 'D MMM YYYY'],
])('dates of %s are entered as %s', (locale, pattern) => {
  expect(datePattern(locale)).toBe(pattern)
})
