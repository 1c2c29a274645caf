import { initialValues } from '@emma/contract/resource-schemas.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import type { DemoRecurring } from '../demo-records.ts'
import { dayOf, daysBack } from './random.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

const DAY_MS = 86_400_000
const MONDAY = 1

/** Key of the newsletter, which has a run for each of the last weeks. */
export const mondayNewsletter = firstKey

/** Key of the birthday greeting, whose runs are among the campaigns of the demo. */
export const birthdayGreeting = firstKey + 1

/** The latest time at which the newsletter of Monday was sent. */
export function lastMonday(now: Date): Date {
  const sinceMonday = (now.getUTCDay() + 7 - MONDAY) % 7
  const monday = new Date(now.getTime() - sinceMonday * DAY_MS)
  monday.setUTCHours(8, 0, 0, 0)
  return monday <= now ? monday : new Date(monday.getTime() - 7 * DAY_MS)
}

/** A newsletter every Monday, and a birthday greeting. */
export function seedRecurrings({ texts, now }: Seeding): DemoRecurring[] {
  const monday = lastMonday(now)
  const tomorrow = new Date(`${dayOf(new Date(now.getTime() + DAY_MS))}T07:30:00Z`)
  const schedule = { tz: 'Europe/Berlin', start: dayOf(daysBack(now, 120)), end: null }
  const base = {
    ...initialValues(recurring),
    ...common(daysBack(now, 120)),
    member_table_id: firstKey,
    list_id: firstKey,
    message_id: firstKey,
    domain_id: firstKey,
    mailclass_id: firstKey,
    fromadr: 'news@demo.example',
    fromname: texts.sender,
  }
  const [newsletter, birthday] = texts.recurring
  return [
    {
      ...base,
      recurring_id: mondayNewsletter,
      name: newsletter,
      schedule: { ...schedule, rrule: 'FREQ=WEEKLY;BYDAY=MO', time: '09:00' },
      next_run: new Date(monday.getTime() + 7 * DAY_MS).toISOString(),
      last_run: monday.toISOString(),
    },
    {
      ...base,
      recurring_id: birthdayGreeting,
      name: birthday,
      trigger: 'date_field',
      date_column: 'birthday',
      schedule: { ...schedule, rrule: 'FREQ=DAILY', time: '08:30' },
      next_run: tomorrow.toISOString(),
      last_run: new Date(tomorrow.getTime() - DAY_MS).toISOString(),
    },
  ] as DemoRecurring[]
}
