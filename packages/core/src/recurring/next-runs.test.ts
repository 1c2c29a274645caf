import { schedule as scheduleSchema } from '@emma/contract/recurring/schedule.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localTime, nextRun, runsAfter, scheduleFaults } from './next-runs.ts'

const plan = (
  rrule: string,
  more: Partial<{ tz: string; start: string; end: string; time: string }> = {},
) => ({
  schedule: { rrule, tz: 'Europe/Berlin', start: '2026-01-01', end: null, time: '09:00', ...more },
  exceptions: [] as string[],
})

function take(from: ReturnType<typeof plan>, after: string, count: number) {
  return [...runsAfter(from, new Date(after)).take(count)]
}
const locals = (...of: Parameters<typeof take>) => take(...of).map(({ local }) => local)

describe('rules', () => {
  test.each([
    ['FREQ=DAILY;INTERVAL=3', ['2026-01-01T09:00', '2026-01-04T09:00', '2026-01-07T09:00']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', ['2026-01-02T09:00', '2026-01-12T09:00', '2026-01-16T09:00']],
    ['FREQ=MONTHLY;BYDAY=2TU', ['2026-01-13T09:00', '2026-02-10T09:00', '2026-03-10T09:00']],
    ['FREQ=MONTHLY;BYDAY=-1FR', ['2026-01-30T09:00', '2026-02-27T09:00', '2026-03-27T09:00']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00']],
    ['FREQ=MONTHLY;BYMONTHDAY=31', ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00']],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', ['2028-02-29T09:00', '2032-02-29T09:00', '2036-02-29T09:00']],
    ['FREQ=DAILY;BYHOUR=8,20', ['2026-01-01T20:00', '2026-01-02T08:00', '2026-01-02T20:00']],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      ['2026-01-30T09:00', '2026-02-27T09:00', '2026-03-31T09:00'],
    ],
  ])('%s', (rrule, runs) => {
    expect(locals(plan(rrule), '2025-12-31T00:00:00Z', 3)).toEqual(runs)
  })

  test('nothing runs before the start, after the end, or on an exception', () => {
    const from = plan('FREQ=DAILY', { start: '2026-03-01', end: '2026-03-04' })
    const without = { ...from, exceptions: ['2026-03-02'] }
    expect(locals(without, '2020-01-01T00:00:00Z', 10)).toEqual([
      '2026-03-01T09:00',
      '2026-03-03T09:00',
      '2026-03-04T09:00',
    ])
    expect(nextRun(without, new Date('2026-03-04T08:00:00Z'))).toBeNull()
  })
})

describe('changes of the clock', () => {
  test.each([
    ['Europe/Berlin', '2027-03-28', '02:30', '2027-03-28T01:00:00.000Z', '2027-03-28T03:00'],
    ['America/New_York', '2027-03-14', '02:00', '2027-03-14T07:00:00.000Z', '2027-03-14T03:00'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:30:00.000Z', '2026-10-04T02:30'],
    ['America/Santiago', '2026-09-06', '00:10', '2026-09-06T04:00:00.000Z', '2026-09-06T01:00'],
  ])('%s: a minute that does not exist on %s is moved to the first that does', (tz, day, time, at, local) => {
    expect(take(plan('FREQ=DAILY', { tz, start: day, time }), '2026-01-01T00:00:00Z', 1)).toEqual([
      { at, local, moved: true },
    ])
  })

  test('a day that a time zone left out runs at the first minute after it, together with that day', () => {
    const samoa = plan('FREQ=DAILY', { tz: 'Pacific/Apia', start: '2011-12-29', time: '00:00' })
    expect(locals(samoa, '2011-12-01T00:00:00Z', 3)).toEqual([
      '2011-12-29T00:00',
      '2011-12-31T00:00',
      '2012-01-01T00:00',
    ])
  })

  test('a minute that occurs twice runs once, the first time', () => {
    const runs = take(plan('FREQ=DAILY', { start: '2026-10-25', time: '02:30' }), '2026-10-20T00:00:00Z', 2)
    expect(runs.map(({ at }) => at)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
  })

  test('hourly runs neither repeat nor stop when the clock is set back', () => {
    const runs = take(plan('FREQ=HOURLY', { start: '2026-10-25', time: '00:00' }), '2026-10-20T00:00:00Z', 5)
    expect(runs.map(({ at }) => at.slice(11, 16))).toEqual(['22:00', '23:00', '00:00', '02:00', '03:00'])
  })
})

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'UTC',
]

test('ten years of runs are on their minute, each once, whenever the clock is asked', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=SU,WE', 'FREQ=MONTHLY;BYMONTHDAY=28'),
      fc.integer({ min: 0, max: 1439 }),
      fc.array(fc.integer({ min: 0, max: 3650 }), { minLength: 5, maxLength: 5 }),
      (tz, rrule, minute, days) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
        const from = plan(rrule, { tz, time, start: '2026-01-01', end: '2035-12-31' })
        const runs = [...runsAfter(from, new Date(0))]
        expect(new Set(runs.map(({ at }) => at)).size).toBe(runs.length)
        for (const { at, local, moved } of runs) {
          expect(localTime(new Date(at), tz)).toBe(local)
          if (!moved) expect(local.slice(11)).toBe(time)
        }
        const dates = runs.map(({ local }) => local.slice(0, 10))
        expect(dates).toEqual(datesOf(rrule))
        // After a restart at any moment the next run is found.
        for (const day of days) {
          const now = Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000 + minute * 61_000
          const next = runs.find(({ at }) => Date.parse(at) > now)?.at ?? null
          expect(nextRun(from, new Date(now))).toBe(next)
        }
      },
    ),
    { numRuns: process.env['CI'] === undefined ? 3 : 8 },
  )
})

/** The same dates, counted day by day. */
function datesOf(rrule: string): string[] {
  const days = Array.from({ length: 3652 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)))
  const fits = (day: Date) =>
    rrule === 'FREQ=DAILY' ||
    (rrule.includes('BYDAY=SU,WE') ? [0, 3].includes(day.getUTCDay()) : day.getUTCDate() === 28)
  return days.filter(fits).map(day => day.toISOString().slice(0, 10))
}

describe('faults', () => {
  test.each([
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'field.never_runs'],
    ['FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=31', 'field.never_runs'],
    ['FREQ=MONTHLY;BYDAY=9MO', 'field.never_runs'],
  ])('%s: %s', (rrule, code) => {
    expect(scheduleFaults(plan(rrule))).toMatchObject([{ field: 'schedule.rrule', code }])
  })

  test('exceptions at every run leave none', () => {
    const from = { ...plan('FREQ=DAILY', { end: '2026-01-02' }), exceptions: ['2026-01-01', '2026-01-02'] }
    expect(scheduleFaults(from)).toMatchObject([{ code: 'field.never_runs' }])
    expect(scheduleFaults({ ...from, exceptions: ['2026-01-01'] })).toEqual([])
  })

  test.each([
    [{ rrule: 'every day' }, 'rrule', 'field.rrule'],
    [{ rrule: 'FREQ=MINUTELY' }, 'rrule', 'field.too_often'],
    [{ rrule: 'FREQ=DAILY;UNTIL=20270101T000000Z' }, 'rrule', 'field.rrule_part'],
    [{ rrule: 'FREQ=DAILY;BYMINUTE=0,30' }, 'rrule', 'field.rrule_part'],
    [{ rrule: 'FREQ=DAILY;COUNT=3' }, 'rrule', 'field.rrule_part'],
    [{ rrule: 'FREQ=DAILY;BYHOUR=8,20;BYSETPOS=1' }, 'rrule', 'field.rrule_part'],
    [{ rrule: 'FREQ=DAILY;INTERVAL=0' }, 'rrule', 'field.rrule'],
    [{ rrule: 'FREQ=DAILY;FREQ=WEEKLY' }, 'rrule', 'field.rrule'],
    [{ tz: 'Europe/Atlantis' }, 'tz', 'field.timezone'],
    [{ end: '2025-12-31' }, 'end', 'field.not_before_start'],
    [{ time: '24:00' }, 'time', 'field.clock_time'],
  ])('the schema refuses %o', (part, field, code) => {
    const parsed = scheduleSchema.safeParse({ ...plan('FREQ=DAILY').schedule, ...part })
    expect(parsed.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      [field, code],
    ])
  })
})

test('costly rules are bounded', () => {
  const began = process.threadCpuUsage()
  nextRun(plan('FREQ=HOURLY', { start: '0001-01-01' }), new Date('2026-01-01T00:00:00Z'))
  nextRun(plan('FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29', { start: '2025-01-01' }), new Date())
  const exceptions = Array.from({ length: 400 }, (_, day) =>
    new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
  )
  expect(nextRun({ ...plan('FREQ=HOURLY'), exceptions }, new Date('2026-01-01T00:00:00Z'))).toBe(
    '2027-02-04T23:00:00.000Z',
  )
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(5000)
})
