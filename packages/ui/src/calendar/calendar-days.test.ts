import { describe, expect, test } from 'vitest'
import {
  addMonths,
  instantsOf,
  movedStart,
  periodOf,
  placeOf,
  weekOf,
  weeksOfMonth,
} from './calendar-days.ts'

describe('days of a calendar', () => {
  test('weeks start on the given first day', () => {
    expect(weekOf('2026-11-25', 1)[0]).toBe('2026-11-23')
    expect(weekOf('2026-11-22', 0)[0]).toBe('2026-11-22')
    expect(weekOf('2026-11-22', 1)[0]).toBe('2026-11-16')
  })

  test('a month consists of whole weeks that contain all its days', () => {
    const weeks = weeksOfMonth('2026-11-20', 1)
    expect(weeks.flat()[0]).toBe('2026-10-26')
    expect(weeks.flat().at(-1)).toBe('2026-12-06')
    expect(weeks.every(week => week.length === 7)).toBe(true)
    expect(weeksOfMonth('2027-02-10', 1)).toHaveLength(4)
  })

  test('months have their actual lengths', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
    expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
    expect(periodOf('list', '2028-02-10', 1)).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  })

  test('a period is converted to instants in the time zone', () => {
    expect(instantsOf({ from: '2026-11-23', to: '2026-11-29' }, 'Europe/Berlin')).toEqual({
      from: '2026-11-22T23:00:00.000Z',
      to: '2026-11-29T23:00:00.000Z',
    })
  })

  test('moving keeps the local time, also across a DST change', () => {
    // 9:30 in Berlin on both sides of the DST change of October 25, 2026.
    const moved = movedStart('2026-10-24T07:30:00.000Z', { day: '2026-10-26' }, 'Europe/Berlin')
    expect(moved).toBe('2026-10-26T08:30:00.000Z')
    expect(movedStart(moved, { day: '2026-10-26', hour: 14 }, 'Europe/Berlin')).toBe(
      '2026-10-26T13:30:00.000Z',
    )
    expect(placeOf('2026-11-24T23:30:00Z', 'Europe/Berlin')).toEqual({ day: '2026-11-25', hour: 0 })
  })
})
