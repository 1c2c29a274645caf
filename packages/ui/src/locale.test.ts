import { expect, test } from 'vitest'
import { createFormat } from './format.ts'
import { localeOf } from './locale.ts'

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-DE', 'en', 'en-AU', 'en-US'], 'en-AU'],
  ['de', ['de-AT'], 'de-AT'],
  ['es', ['es-MX', 'es'], 'es-MX'],
  ['en', ['en-us'], 'en-US'],
  ['en', ['en'], 'en'],
  ['de', ['en-GB', 'den-CA'], 'de'],
  ['de', [], 'de'],
])('locale of %s in a browser set to %j: %s', (language, preferred, locale) => {
  expect(localeOf(language, preferred)).toBe(locale)
})

test('dates, times and numbers are those of the region', () => {
  const of = (locale: string) => {
    const format = createFormat(locale, 'Europe/London')
    return [format.dateTime('2026-07-02T17:30:00Z'), format.number(1234567.5)]
  }
  expect(of('en-GB')).toEqual(['2 Jul 2026, 18:30', '1,234,567.5'])
  expect(of('en-US')).toEqual(['Jul 2, 2026, 18:30', '1,234,567.5'])
  expect(of('de-AT')).toEqual(['02.07.2026, 18:30', '1\u00A0234\u00A0567,5'])
  expect(of('es-MX')[1]).toBe('1,234,567.5')
  expect(of('es')[1]).toBe('1.234.567,5')
  expect(createFormat('en-AU', 'Australia/Sydney').time('2026-07-02T08:30:00Z')).toMatch(/^6:30\spm$/)
})
