import type { PlannedRun } from '@emma/contract/actions/recurring.ts'
import { type FieldError, fieldError } from '@emma/contract/errors.ts'
import type { Schedule } from '@emma/contract/recurring/schedule.ts'
import { RRuleTemporal } from 'rrule-temporal'

/** What determines the times of runs. `exceptions`: dates left out. */
export interface RunPlan {
  schedule: Schedule
  exceptions: readonly string[]
}

/** Time zones differ from UTC by at most 14 hours, and one has left out a whole day. */
const LOOKBACK_MS = 40 * 3_600_000

/** Occurrences in a row that may be left out: the exceptions at every hour, and those before the start. */
const MAX_LEFT_OUT = 12_000

/**
 * Periods (hours, days, weeks …) and times in them that are searched for the next occurrence: enough for a Monday that
 * is 29 February in a weekly rule, and half a second of work at most.
 */
const MAX_PERIODS = 3000
const MAX_CANDIDATES = 40_000

/** Years in which the next runs are searched: a bound for rules that hardly ever occur. */
const YEARS_AHEAD = 100
/** PostgreSQL and JSON agree on years of four digits. */
const LAST_YEAR = 9998

/**
 * Runs of a schedule later than `after`, in order. The rule is evaluated on the wall clock of the schedule's time zone:
 * a minute that clocks skip is moved to the first one that exists after it, a minute that occurs twice counts once, the
 * first time. As in RFC 5545, days that a month or year lacks are left out: a rule for 29 February or the 31st has no run
 * in the others (`BYMONTHDAY=-1` is the last day of each month).
 */
export function* runsAfter({ schedule, exceptions }: RunPlan, after: Date): Generator<PlannedRun> {
  const rule = ruleOf(schedule)
  const skipped = new Set(exceptions)
  const { tz, start, end, time } = schedule
  let last = after.getTime()
  // The rule counts in UTC, as if it were local time.
  let cursor = Math.max(last - LOOKBACK_MS, Date.parse(`${start}T${time}:00Z`) - 1)
  const lastYear = Math.min(LAST_YEAR, new Date(cursor).getUTCFullYear() + YEARS_AHEAD)
  for (let leftOut = 0; leftOut < MAX_LEFT_OUT; leftOut++) {
    const occurrence = findNext(rule, cursor)
    if (!occurrence || occurrence.year > lastYear) return
    cursor = occurrence.epochMilliseconds
    const local = occurrence.toPlainDateTime()
    const day = local.toPlainDate().toString()
    if (end !== null && day > end) return
    if (skipped.has(day)) continue
    const { at, moved } = resolve(local, tz)
    if (at.epochMilliseconds <= last) continue
    last = at.epochMilliseconds
    leftOut = 0
    yield {
      at: new Date(last).toISOString(),
      local: at.toPlainDateTime().toString({ smallestUnit: 'minute' }),
      moved,
    }
  }
}

export function nextRun(plan: RunPlan, after: Date): string | null {
  for (const { at } of runsAfter(plan, after)) return at
  return null
}

/** Faults of a schedule that its schema cannot find. */
export function scheduleFaults(plan: RunPlan): FieldError[] {
  try {
    ruleOf(plan.schedule)
  } catch {
    return [fieldError('schedule.rrule', 'field.rrule')]
  }
  return nextRun(plan, new Date(0)) === null ? [fieldError('schedule.rrule', 'field.never_runs')] : []
}

type Occurrence = NonNullable<ReturnType<RRuleTemporal['next']>>

function ruleOf({ rrule, start, time }: Schedule): RRuleTemporal {
  const begin = `${start}T${time}:00Z[UTC]`
  return new RRuleTemporal({
    rruleString: rrule,
    dtstart: { timeZoneId: 'UTC', toString: () => begin },
    maxIterations: MAX_PERIODS,
    maxCandidateEvaluations: MAX_CANDIDATES,
  })
}

function findNext(rule: RRuleTemporal, after: number): Occurrence | null {
  try {
    return rule.next(new Date(after))
  } catch {
    // The library gives up on rules without a further occurrence, such as 30 February.
    return null
  }
}

function resolve(
  local: ReturnType<Occurrence['toPlainDateTime']>,
  timeZone: string,
): { at: Occurrence; moved: boolean } {
  // A minute that does not exist becomes one before the gap, a minute that occurs twice the first.
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  if (earlier.toPlainDateTime().equals(local)) return { at: earlier, moved: false }
  const gapEnd = earlier.getTimeZoneTransition('next')
  return { at: gapEnd ?? earlier, moved: true }
}

/** Wall clock of an instant: `2026-12-31T09:00`. */
export function localTime(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(each => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}
