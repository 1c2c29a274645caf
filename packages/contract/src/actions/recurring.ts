import { z } from 'zod'
import { defineAction } from '../define-action.ts'
import { date, id, instant, queryId } from '../fields.ts'
import { exceptions, schedule } from '../recurring/schedule.ts'
import { split } from '../split.ts'
import { comparedVariant, reportFigures, sentVariant, splitPart } from './reports.ts'

const base = { area: 'recurring' } as const

/** Runs in a preview. */
export const PREVIEW_RUNS = 10

/** `moved`: its minute does not exist on that day, as clocks are set forward; it is at the first minute that does. */
const plannedRun = z.object({ at: instant, local: z.string(), moved: z.boolean() })
export type PlannedRun = z.infer<typeof plannedRun>

/** Next runs of a schedule that need not be saved. */
export const previewSchedule = defineAction({
  ...base,
  name: 'previewSchedule',
  method: 'POST',
  paths: ['/recurring:preview'],
  permission: 'EmmaRecurring:get',
  reads: true,
  body: z.strictObject({ schedule, exceptions: exceptions.default([]) }),
  response: z.object({ runs: z.array(plannedRun) }),
})

/** Sends a run now, besides the planned ones. Errors of the check are those of starting a campaign. */
export const runRecurring = defineAction({
  ...base,
  name: 'runRecurring',
  method: 'POST',
  paths: ['/recurring/{id}/run'],
  permission: 'EmmaRecurring:patch',
  response: z.object({ campagne_id: id }),
  evicts: ['recurring', 'campaign', 'report'],
})

/**
 * `started`: sent as a campaign. `empty`: nobody to send to. `missed`: its time passed while the server was not running.
 * `failed`: the check of the campaign found errors.
 */
export const runStates = ['started', 'empty', 'missed', 'failed'] as const
export type RunState = (typeof runStates)[number]

const shownFault = z.object({
  code: z.string(),
  values: z.record(z.string(), z.json()).optional(),
  message: z.string(),
})

const run = z.object({
  run_id: id,
  planned_at: instant,
  ran_at: instant,
  state: z.enum(runStates),
  is_manual: z.boolean(),
  /** Why it failed. */
  faults: z.array(shownFault.extend({ field: z.string() })),
  campagne_id: id.nullable(),
  /** State and planned recipients of its campaign. */
  valid: z.int().nullable(),
  estimated_volume: z.int().nullable(),
})
export type RecurringRun = z.infer<typeof run>

function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    included: z.array(z.unknown()),
    pagination: z.object({ limit: z.int(), offset: z.int(), total: z.int() }),
  })
}

const page = {
  limit: z.coerce.number().int().min(1).max(500).default(25),
  offset: z.coerce.number().int().nonnegative().max(1_000_000).default(0),
}

/** Runs of a recurring campaign, newest first, also those that sent nothing. */
export const listRecurringRuns = defineAction({
  ...base,
  name: 'listRecurringRuns',
  paths: ['/recurring/{id}/runs/'],
  permission: 'EmmaRecurring:get',
  query: z.object({ ...page, state: z.enum(runStates).optional() }),
  response: pageOf(run),
})

const recurringReportRow = z.object({
  recurring_id: id,
  name: z.string(),
  active: z.boolean(),
  /** Runs that were sent in the period. */
  runs: z.int(),
  last_run: instant.nullable(),
  ...reportFigures,
})
export type RecurringReportRow = z.infer<typeof recurringReportRow>

/** Figures of recurring campaigns: the sums of their runs in a period of at most 366 days, by default the last 90. */
export const readRecurringReport = defineAction({
  ...base,
  name: 'readRecurringReport',
  paths: ['/recurring-report/'],
  permission: 'EmmaReport:get',
  alsoNeeds: ['EmmaRecurring:get'],
  slow: true,
  query: z.object({
    ...page,
    client_id: queryId.optional(),
    recurring_id: queryId.optional(),
    start_date: date.optional(),
    end_date: date.optional(),
  }),
  response: pageOf(recurringReportRow),
})

/**
 * A/B test over the runs of a period, by default of the last 90 days: the figures of each variant, added over the runs
 * that have the same variants as the last one. A recipient of several runs counts once in each; as chance divides each
 * run anew, the differences are those of independent groups. Null without such a run.
 */
export const readRecurringSplitReport = defineAction({
  ...base,
  name: 'readRecurringSplitReport',
  paths: ['/recurring/{id}/split-report'],
  permission: 'EmmaReport:get',
  alsoNeeds: ['EmmaRecurring:get'],
  slow: true,
  query: z.object({ start_date: date.optional(), end_date: date.optional() }),
  response: z.object({
    report: z
      .object({
        runs: z.int(),
        /** Runs with other variants, whose figures are not added. */
        other_runs: z.int(),
        split,
        variants: z.array(sentVariant),
        parts: z.array(splitPart),
        /** What the variants are compared by: a goal is reached once, whichever run it follows. */
        by: z.enum(['clicks', 'opens']),
        compared: z.array(comparedVariant),
      })
      .nullable(),
  }),
})
