import {
  listRecurringRuns,
  PREVIEW_RUNS,
  type PlannedRun,
  previewSchedule,
  readRecurringReport,
  readRecurringSplitReport,
  runRecurring,
} from '@emma/contract/actions/recurring.ts'
import { reportFigures } from '@emma/contract/actions/reports.ts'
import { campaignState, campaignType } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Schedule } from '@emma/contract/recurring/schedule.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { recurring, runFields } from '@emma/contract/resources/recurring.ts'
import { compareVariants } from '@emma/contract/statistics/compare-variants.ts'
import { advanceCampaigns, inTurn, keepCampaign } from './advance-campaigns.ts'
import { blankCampaign } from './blank-campaign.ts'
import { withParts } from './campaign-routes.ts'
import { type DemoRoute, type DemoState, onAction, pageOf } from './demo-call.ts'
import type { DemoCampaign, DemoRecurring, DemoReport } from './demo-records.ts'
import { recordRoutes } from './record-routes.ts'
import { demoVolume } from './seed/seed-campaigns.ts'
import { createRandom } from './seed/random.ts'
import { common } from './seed/seeding.ts'
import { decisiveFigures, type DemoSplitPart, splitParts } from './split-parts.ts'
import { variantsOf } from './split-routes.ts'

/** Recurring campaigns. Planned runs are not made; a run that the user starts is sent like any campaign of the demo. */
export const recurringRoutes: readonly DemoRoute[] = [
  ...recordRoutes({
    resource: recurring,
    entity: 'recurring',
    blank: { ...initialValues(recurring), member_table_id: null, next_run: null, last_run: null },
    async settle(row, _before, state) {
      const { schedule, exceptions, active } = row as DemoRecurring
      const [next] = active ? await nextRuns(schedule, exceptions, state.now(), 1) : []
      return { ...row, next_run: next?.at ?? null }
    },
  }),
  ...onAction(previewSchedule, async ({ body }, state) => ({
    runs: await nextRuns(body.schedule, body.exceptions, state.now(), PREVIEW_RUNS),
  })),
  ...onAction(runRecurring, async ({ params }, state) => ({ campagne_id: await run(params.id, state) })),
  ...onAction(listRecurringRuns, async ({ params, query }, state) => {
    const runs = await runsOf(params.id, state)
    const rows = query.state === undefined || query.state === 'started' ? runs : []
    return pageOf(
      rows.map(({ campagne_id, started_at, valid, estimated_volume }) => ({
        run_id: campagne_id,
        planned_at: started_at ?? '',
        ran_at: started_at ?? '',
        state: 'started' as const,
        is_manual: false,
        faults: [],
        campagne_id,
        valid,
        estimated_volume,
      })),
      query.limit,
      query.offset,
    )
  }),
  ...onAction(readRecurringSplitReport, async ({ params, query }, state) => ({
    report: await splitSums(params.id, query.start_date ?? '', state),
  })),
  ...onAction(readRecurringReport, async ({ query }, state) => {
    const all = await state.tables<DemoRecurring>('recurring').all()
    const wanted = all.filter(
      row => query.recurring_id === undefined || row.recurring_id === query.recurring_id,
    )
    const rows = await Promise.all(wanted.map(row => sumsOf(row, query.start_date ?? '', state)))
    return pageOf(
      rows.filter(row => row.runs > 0),
      query.limit,
      query.offset,
    )
  }),
]

const figureNames = Object.keys(reportFigures) as (keyof typeof reportFigures)[]

async function sumsOf(
  { recurring_id, name, active, last_run }: DemoRecurring,
  since: string,
  state: DemoState,
) {
  const runs = (await runsOf(recurring_id, state)).filter(row => (row.started_at ?? '') >= since)
  const found = await Promise.all(
    runs.map(({ campagne_id }) => state.tables<DemoReport>('report').get(campagne_id)),
  )
  const reports = found.filter(report => report !== undefined)
  const sums = figureNames.map(figure => [figure, reports.reduce((sum, each) => sum + each[figure], 0)])
  return {
    recurring_id,
    name,
    active,
    last_run,
    runs: runs.length,
    ...(Object.fromEntries(sums) as Record<(typeof figureNames)[number], number>),
  }
}

/** The runs whose variants are those of the last one, added. */
async function splitSums(id: number, since: string, state: DemoState) {
  const runs = (await runsOf(id, state)).filter(row => (row.started_at ?? '') >= since)
  const tests = await Promise.all(
    runs
      .filter(row => row.split !== null && row.split.variants.length > 0)
      .map(async campaign => ({ campaign, variants: await variantsOf(campaign, state) })),
  )
  const [latest] = tests
  const split = latest?.campaign.split
  if (!latest || !split) return null
  const nameOf = (variants: unknown) => JSON.stringify(variants)
  const same = tests.filter(({ variants }) => nameOf(variants) === nameOf(latest.variants))
  const parts = addParts(
    same.flatMap(({ campaign }) => splitParts(campaign)).filter(({ part }) => part === 'variant'),
  )
  const by = split.winner_by === 'opens' ? 'opens' : 'clicks'
  return {
    runs: same.length,
    other_runs: tests.length - same.length,
    split,
    variants: latest.variants,
    parts,
    by,
    compared: compareVariants(decisiveFigures(parts, by), split.level),
  } as const
}

/** Sums by variant. */
function addParts(parts: readonly DemoSplitPart[]): DemoSplitPart[] {
  return [...Map.groupBy(parts, ({ variant }) => variant).values()].map(group => {
    const sum = (figure: 'recipients' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'unsubscribed') =>
      group.reduce((total, part) => total + part[figure], 0)
    return {
      part: 'variant',
      variant: group[0]?.variant ?? null,
      recipients: sum('recipients'),
      sent: sum('sent'),
      delivered: sum('delivered'),
      opened: sum('opened'),
      clicked: sum('clicked'),
      unsubscribed: sum('unsubscribed'),
      complained: 0,
      reached_goal: null,
    }
  })
}

/** Campaigns of the runs, newest first. */
async function runsOf(id: number, state: DemoState): Promise<DemoCampaign[]> {
  await advanceCampaigns(state)
  const campaigns = await state.tables<DemoCampaign>('campaign').all()
  return campaigns
    .filter(row => row.recurring_id === id && row.started_at !== null)
    .toSorted((a, b) => String(b.started_at).localeCompare(String(a.started_at)))
}

/** Each run gets the settings of the recurring campaign, as on the server (core/src/recurring/start-run.ts). */
function run(id: number, state: DemoState): Promise<number> {
  return inTurn(async () => {
    const { tables, person } = state
    const row = await tables<DemoRecurring>('recurring').get(id)
    if (!row) throw new EmmaError('not_found')
    const campaigns = await tables<DemoCampaign>('campaign').all()
    const key = Math.max(...campaigns.map(({ campagne_id }) => campagne_id)) + 1
    const now = state.now()
    const volume = demoVolume(createRandom(key))
    const campaign = await withParts(
      {
        ...blankCampaign,
        ...common(now, person.id),
        ...Object.fromEntries(runFields.map(field => [field, row[field]])),
        campagne_id: key,
        recurring_id: id,
        ctype: campaignType.recurring,
        valid: campaignState.running,
        name: `${row.name} ${now.toISOString().slice(0, 16).replace('T', ' ')}`,
        estimated_volume: volume,
        combined_volume: volume,
        startdate: now.toISOString(),
        started_at: now.toISOString(),
      },
      state,
    )
    await keepCampaign(campaign as DemoCampaign, state)
    await tables('recurring').put(id, { ...row, last_run: now.toISOString() })
    return key
  })
}

/** The next runs, by the library that the server uses. */
async function nextRuns(
  { rrule, tz, start, end, time }: Schedule,
  exceptions: readonly string[],
  now: Date,
  count: number,
): Promise<PlannedRun[]> {
  const { RRuleTemporal } = await import('rrule-temporal')
  const begin = `${start}T${time}:00Z[UTC]`
  const rule = new RRuleTemporal({
    rruleString: rrule,
    dtstart: { timeZoneId: 'UTC', toString: () => begin },
  })
  const runs: PlannedRun[] = []
  // Each exception leaves out one day, of 24 hours at most.
  const attempts = count + exceptions.length * 24 + 24
  let found = rule.next(new Date(Math.max(now.getTime() - 86_400_000, Date.parse(`${start}T00:00:00Z`) - 1)))
  for (let attempt = 0; found && runs.length < count && attempt < attempts; attempt++) {
    const day = found.toPlainDate().toString()
    if (end !== null && day > end) break
    const at = found.toPlainDateTime().toZonedDateTime(tz)
    if (!exceptions.includes(day) && at.epochMilliseconds > now.getTime())
      runs.push({
        at: new Date(at.epochMilliseconds).toISOString(),
        local: at.toPlainDateTime().toString({ smallestUnit: 'minute' }),
        moved: !at.toPlainDateTime().equals(found.toPlainDateTime()),
      })
    found = rule.next(new Date(found.epochMilliseconds))
  }
  return runs
}
