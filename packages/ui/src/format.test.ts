import { describe, expect, it } from 'vitest'
import { createFormat } from './format.ts'

const en = createFormat('en', 'Europe/Berlin')
const de = createFormat('de', 'Europe/Berlin')

describe('createFormat', () => {
  it('formats numbers and percentages in the language', () => {
    expect([en.number(1234.5), de.number(1234.5), en.number(3, 2)]).toEqual(['1,234.5', '1.234,5', '3.00'])
    expect([en.percent(0.2546), en.percent(0.2546, 0)]).toEqual(['25.5%', '25%'])
    expect([en.percent(0.9996), en.percent(1), en.percent(0.00042), en.percent(0)]).toEqual([
      '> 99.9%',
      '100%',
      '< 0.1%',
      '0%',
    ])
    expect(en.compact(1_234_567)).toBe('1.2M')
  })

  it('formats times in the time zone', () => {
    expect(de.dateTime('2026-07-01T22:30:00Z')).toBe('02.07.2026, 00:30')
    expect(en.dateTime('2026-07-01T22:30:00Z')).toBe('Jul 2, 2026, 00:30')
    expect(createFormat('en', 'America/New_York').time('2026-07-01T22:30:00Z')).toMatch(/^6:30\sPM$/)
    expect(en.day('2026-07-01T22:30:00Z')).toBe('Jul 2')
    expect([de.time('2026-07-01T22:30:10Z'), de.exactTime('2026-07-01T22:30:10Z')]).toEqual([
      '00:30',
      '00:30:10',
    ])
  })

  it('formats relative times', () => {
    const now = new Date('2026-11-20T12:00:00Z')
    expect(en.relative('2026-11-20T11:57:00Z', now)).toBe('3 minutes ago')
    expect(en.relative('2026-11-21T13:00:00Z', now)).toBe('tomorrow')
    expect(en.relative('2026-01-02T13:00:00Z', now)).toBe('Jan 2, 2026')
  })

  it('formats sizes and durations with two units at most', () => {
    expect([en.bytes(0), en.bytes(999), en.bytes(1500), en.bytes(12_345_678)]).toEqual([
      '0 B',
      '999 B',
      '1.5 kB',
      '12 MB',
    ])
    expect([en.duration(0), en.duration(59), en.duration(7505), en.duration(90_061)]).toEqual([
      '0 s',
      '59 s',
      '2 h 5 min',
      '1 d 1 h',
    ])
    expect(en.duration(3605)).toBe('1 h')
  })

  it('shows a dash for missing or invalid values', () => {
    expect([en.number(null), en.percent(Number.NaN), en.date(''), en.dateTime('soon')]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ])
  })
})
