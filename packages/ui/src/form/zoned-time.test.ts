import { describe, expect, it } from 'vitest'
import { fromZoneText, toZoneText } from './zoned-time.ts'

const berlin = 'Europe/Berlin'

describe('times of a zone', () => {
  it('formats and parses local time, in summer and winter', () => {
    expect(toZoneText('2026-07-01T10:00:00Z', berlin)).toBe('2026-07-01 12:00:00')
    expect(toZoneText('2026-12-01T10:00:00.000Z', berlin)).toBe('2026-12-01 11:00:00')
    expect(fromZoneText('2026-07-01 12:00:00', berlin)).toBe('2026-07-01T10:00:00.000Z')
    expect(fromZoneText('2026-12-01 00:00:00', 'America/New_York')).toBe('2026-12-01T05:00:00.000Z')
  })

  it('moves forward in the hour skipped in spring', () => {
    expect(fromZoneText('2026-03-29 02:30:00', berlin)).toBe('2026-03-29T01:30:00.000Z')
    expect(toZoneText('2026-03-29T01:30:00Z', berlin)).toBe('2026-03-29 03:30:00')
  })

  it('uses the first occurrence of the hour repeated in autumn', () => {
    expect(fromZoneText('2026-10-25 02:30:00', berlin)).toBe('2026-10-25T00:30:00.000Z')
    expect(fromZoneText('2026-10-25 03:30:00', berlin)).toBe('2026-10-25T02:30:00.000Z')
  })

  it('supports time zones with half-hour offsets', () => {
    expect(fromZoneText('2026-01-01 05:30:00', 'Asia/Kolkata')).toBe('2026-01-01T00:00:00.000Z')
  })

  it('returns null for invalid times', () => {
    expect(toZoneText('soon', berlin)).toBeNull()
    expect(fromZoneText('soon', berlin)).toBeNull()
  })
})
