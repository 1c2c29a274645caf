import { array, assert, integer, option, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { expectTimes, learnedTime } from './learned-time.ts'

const plain = learnedTime.parse({})
const hours = (filled: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => filled[hour] ?? 0)

it('says what happens to an audience: control, explore, focus', () => {
  const expected = expectTimes(plain, { total: 1000, by_hour: hours({ 8: 300, 20: 100 }) }, null)
  expect(expected).toMatchObject({ known: 400, control: 100 })
  expect(expected.focus).toBeCloseTo(324)
  expect(expected.explore).toBeCloseTo(576)
  expect(expected.by_hour.focus[8]).toBeCloseTo(243)
  expect(expected.by_hour.explore[3]).toBeCloseTo(24)
})

it('quiet hours: nobody explores in them, and a best hour moves to their end', () => {
  const quiet = { from: '22:00', to: '07:00' }
  const { by_hour } = expectTimes(plain, { total: 1000, by_hour: hours({ 23: 100 }) }, quiet)
  expect(by_hour.focus[7]).toBeCloseTo(81)
  expect(by_hour.explore.filter(count => count > 0)).toHaveLength(15)
  expect([by_hour.explore[6], by_hour.explore[22]]).toEqual([0, 0])
})

it('everybody is in one group, at one hour', () => {
  const time = integer({ min: 0, max: 23 }).map(hour => `${String(hour).padStart(2, '0')}:00`)
  assert(
    property(
      record({
        control_percent: integer({ min: 5, max: 50 }),
        explore_percent: integer({ min: 0, max: 50 }),
      }),
      array(integer({ min: 0, max: 1000 }), { minLength: 24, maxLength: 24 }),
      integer({ min: 0, max: 1000 }),
      option(record({ from: time, to: time })),
      (shares, by_hour, unknown, quiet) => {
        const total = by_hour.reduce((sum, count) => sum + count, unknown)
        const {
          control,
          explore,
          focus,
          by_hour: at,
        } = expectTimes({ ...plain, ...shares }, { total, by_hour }, quiet)
        expect(control + explore + focus).toBeCloseTo(total)
        const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
        expect(sum(at.focus)).toBeCloseTo(focus)
        expect(sum(at.explore)).toBeCloseTo(explore)
      },
    ),
  )
})
