import { z } from 'zod'
import { date, timeZone } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

/**
 * Parts of a recurrence rule (RFC 5545, 3.3.10) and their values. The minute is the schedule's; instead of UNTIL and
 * COUNT it has a last day, so that the next run is found without counting from the first one.
 */
const parts: Readonly<Record<string, RegExp>> = {
  FREQ: /^(HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^([1-9]\d{0,2}|1000)$/,
  BYMONTH: listOf('1[0-2]|[1-9]', 12),
  BYMONTHDAY: listOf('-?([12]\\d|3[01]|[1-9])', 62),
  BYDAY: listOf('([+-]?[1-5]?\\d)?(MO|TU|WE|TH|FR|SA|SU)', 35),
  BYHOUR: listOf('1\\d|2[0-3]|\\d', 24),
  BYSETPOS: listOf('-?[1-9]\\d{0,2}', 12),
  WKST: /^(MO|TU|WE|TH|FR|SA|SU)$/,
}

/** Frequencies whose periods have days to choose from. */
const hasPositions = /^(MONTHLY|YEARLY)$/

function listOf(item: string, max: number): RegExp {
  return new RegExp(`^(${item})(,(${item})){0,${max - 1}}$`)
}

/** Splits a recurrence rule into its parts; null if it is no rule. */
export function ruleParts(rule: string): ReadonlyMap<string, string> | null {
  const pairs = rule.split(';').map(part => part.split('='))
  const names = new Set(pairs.map(([name]) => name))
  if (names.size !== pairs.length || pairs.some(pair => pair.length !== 2)) return null
  return new Map(pairs.map(([name = '', value = '']) => [name, value]))
}

const recurrenceRule = z
  .string()
  .max(500)
  .superRefine((rule, context) => {
    const found = ruleParts(rule)
    if (!found?.has('FREQ')) return refuse(context, 'field.rrule')
    for (const [name, value] of found) {
      if (name === 'FREQ' && /^(MINUTELY|SECONDLY)$/.test(value)) return refuse(context, 'field.too_often')
      const allowed =
        name !== 'BYSETPOS' || hasPositions.test(found.get('FREQ') ?? '') ? parts[name] : undefined
      if (!allowed) return refuse(context, 'field.rrule_part', { part: name })
      if (!allowed.test(value)) return refuse(context, 'field.rrule')
    }
  })

function refuse(
  context: z.core.$RefinementCtx,
  code: Parameters<typeof checkFault>[0],
  values: Record<string, string> = {},
): void {
  context.addIssue({ code: 'custom', message: checkFault(code), params: { values } })
}

/** A time of day to the minute: 22:30. */
const minuteOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, checkFault('field.clock_time'))

/** When a recurring campaign runs, by the clock of a time zone. */
export const schedule = z
  .strictObject({
    /** Recurrence rule of RFC 5545 without `RRULE:`, counted from `start`. */
    rrule: recurrenceRule,
    tz: timeZone,
    start: date,
    /** Last day with a run. */
    end: date.nullable().default(null),
    time: minuteOfDay,
  })
  .superRefine(({ start, end }, context) => {
    if (end !== null && end < start)
      context.addIssue({ code: 'custom', message: checkFault('field.not_before_start'), path: ['end'] })
  })

export type Schedule = z.infer<typeof schedule>

/** Dates without a run, in the schedule's time zone. */
export const exceptions = z.array(date).max(400)
