import { expect, test } from 'vitest'
import { repeatOf, ruleOf } from './repeat.ts'

test.each([
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY;BYDAY=MO,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU',
  'FREQ=MONTHLY;BYMONTHDAY=15',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
  'FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24',
  'FREQ=YEARLY;BYMONTH=5;BYDAY=2SU',
])('%s is shown by the builder, and written the same again', rrule => {
  const repeat = repeatOf(rrule)
  expect(repeat && ruleOf(repeat)).toBe(rrule)
})

test('the order of the parts and of the days does not matter', () => {
  const repeat = repeatOf('BYDAY=FR,MO;INTERVAL=1;FREQ=WEEKLY')
  expect(repeat && ruleOf(repeat)).toBe('FREQ=WEEKLY;BYDAY=MO,FR')
})

test.each([
  'FREQ=HOURLY',
  'FREQ=DAILY;BYHOUR=8,20',
  'FREQ=WEEKLY',
  'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=MONTHLY;BYMONTHDAY=1,15',
  'FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1',
  'nonsense',
])('%s is more than the builder can show', rrule => {
  expect(repeatOf(rrule)).toBeNull()
})
