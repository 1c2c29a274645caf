import { describe, expect, it, vi } from 'vitest'
import { formatDate } from './format-date.ts'

const berlin = { language: 'de', timeZone: 'Europe/Berlin' }
const utc = { language: 'en', timeZone: 'UTC' }

function format(pattern: string): unknown {
  return formatDate('2026-03-01T09:05:07Z', pattern, utc)
}

describe('formatDate', () => {
  it('supports the strftime letters', () => {
    expect(format('%Y-%m-%d %H:%M:%S')).toBe('2026-03-01 09:05:07')
    expect(format('%-d.%-m.%y|%e|%j|%k|%l|%I %p %P')).toBe('1.3.26| 1|060| 9| 9|09 AM am')
    expect(format('%A %a %B %b %^a')).toBe('Sunday Sun March Mar SUN')
    expect(format('%F %T %R %D %s %u %w %V %% %Q')).toBe(
      '2026-03-01 09:05:07 09:05 03/01/26 1772355907 7 0 09 % %Q',
    )
  })

  it('uses the language of the message and its short form', () => {
    expect(formatDate('2026-03-01', '%A, %-d. %B %Y', berlin)).toBe('Sonntag, 1. März 2026')
    expect(formatDate('2026-03-01', undefined, berlin)).toBe('01.03.2026')
    expect(formatDate('2026-03-01', undefined, utc)).toBe('March 1, 2026')
    expect(formatDate('2026-03-01', '', { language: 'es-ES', timeZone: 'UTC' })).toBe('01/03/2026')
  })

  it('converts instants to the time zone, but not dates without a time', () => {
    expect(formatDate('2026-12-31T23:30:00Z', '%d.%m.%Y %H:%M', berlin)).toBe('01.01.2027 00:30')
    expect(formatDate('2026-07-01 12:00', '%H:%M', berlin)).toBe('14:00')
    expect(formatDate(new Date('2026-07-01T12:00:00Z'), '%H:%M', berlin)).toBe('14:00')
    expect(formatDate('2026-07-01T12:00:00+05:30', '%H:%M', utc)).toBe('06:30')
    expect(formatDate('2026-12-31', '%d.%m.%Y', { language: 'de', timeZone: 'America/Los_Angeles' })).toBe(
      '31.12.2026',
    )
    expect(formatDate(1772355907, '%F', utc)).toBe('2026-03-01')
  })

  it('returns other values unchanged', () => {
    for (const value of ['soon', '', '01/02/2026', '2026-13-45x', null, undefined, {}]) {
      expect(formatDate(value, '%Y', utc)).toBe(value)
    }
  })

  it('supports now', () => {
    vi.useFakeTimers({ now: new Date('2026-11-05T10:00:00Z') })
    expect(formatDate('now', '%F %H', utc)).toBe('2026-11-05 10')
    vi.useRealTimers()
  })
})
