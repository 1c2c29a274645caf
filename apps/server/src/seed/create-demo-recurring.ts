import type { Create } from '@emma/contract/resource-schemas.ts'
import type { recurring } from '@emma/contract/resources/recurring.ts'
import { compileHere } from '@emma/core/content/compile-message.ts'
import { makeDueRuns, type RunContext } from '@emma/core/recurring/make-due-runs.ts'
import { recurringOperationsAt } from '@emma/core/recurring/recurring-operations.ts'
import { systemActor } from '@emma/core/resource/actor.ts'
import type { Db } from '@emma/db/connection.ts'
import { checkContext } from '../check-context.ts'
import type { Config } from '../config.ts'

type Settings = Omit<Create<typeof recurring>, 'name' | 'schedule'>

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** Clocks may be changed between two runs. */
const MAX_SHIFT_MS = 3_600_000

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Runs that a new installation looks back on. */
const PAST_RUNS = 2

/**
 * Creates a newsletter that is sent every week, on the weekday of yesterday, and makes its last two runs, which the
 * engine sends to the testbed as soon as the roles run. The next run is six days ahead.
 */
export async function createDemoRecurring(
  { config, db }: { config: Config; db: Db },
  clientId: number,
  settings: Settings,
): Promise<void> {
  const yesterday = new Date(Date.now() - DAY_MS)
  const firstDay = new Date(yesterday.getTime() - (PAST_RUNS - 1) * WEEK_MS).toISOString().slice(0, 10)
  const operations = recurringOperationsAt(() => new Date(firstDay))
  const { next_run: firstRun } = await operations.create(db, systemActor(clientId), clientId, {
    ...settings,
    name: 'Coffee of the week',
    schedule: {
      rrule: `FREQ=WEEKLY;BYDAY=${weekdays[yesterday.getUTCDay()]}`,
      tz: 'Europe/Berlin',
      start: firstDay,
      end: null,
      time: '09:00',
    },
  })
  const context: RunContext = {
    ...checkContext(config, compileHere),
    onError: (_key, error) => {
      throw error
    },
  }
  const begin = Date.parse(firstRun ?? firstDay) + MAX_SHIFT_MS
  for (let run = 0; run < PAST_RUNS; run++) await makeDueRuns(db, new Date(begin + run * WEEK_MS), context)
}
