import type { readRecurringSplitReport as contract } from '@emma/contract/actions/recurring.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { split as splitField } from '@emma/contract/split.ts'
import { compareVariants } from '@emma/contract/statistics/compare-variants.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { countVariants, decisiveFigures } from '../campaigns/split/count-variants.ts'
import { withTemplates } from '../campaigns/split/variant-templates.ts'
import { type VariantSettings, variantsOf } from '../campaigns/split/variants.ts'
import type { RecurringKey } from './make-due-runs.ts'
import { startedInPeriod } from './report-period.ts'

/** Runs that are added at most: the latest ones. */
const MOST_RUNS = 400

/**
 * A/B test over the runs of a period: figures of each variant, added over the runs with the variants of the last one.
 * Those who got the winner or nothing are no part of the comparison.
 */
export async function readRecurringSplit(
  db: Db,
  { clientId, recurringId }: RecurringKey,
  period: z.output<typeof contract.query>,
  now = new Date(),
): Promise<Answer<typeof contract>> {
  const runs = await findTests(db, { clientId, recurringId }, period, now)
  const [latest] = runs
  if (!latest) return { report: null }
  const same = runs.filter(run => nameOf(run) === nameOf(latest))
  const by = latest.split.winner_by === 'opens' ? 'opens' : 'clicks'
  const split = { ...latest.split, winner_by: by } as const
  return transaction(db, async tx => {
    const campaignIds = same.map(run => run.campagne_id)
    const counted = await countVariants(tx, { clientId, campaignIds }, null)
    const parts = counted.filter(({ part }) => part === 'variant')
    return {
      report: {
        runs: same.length,
        other_runs: runs.length - same.length,
        split: latest.split,
        variants: await withTemplates(tx, clientId, variantsOf(latest)),
        parts,
        by,
        compared: compareVariants(decisiveFigures(parts, split), split.level),
      },
    }
  })
}

interface TestRun extends VariantSettings {
  campagne_id: number
  split: z.output<typeof splitField>
}

/** Runs with an A/B test, the last one first. */
async function findTests(
  db: Db,
  { clientId, recurringId }: RecurringKey,
  period: z.output<typeof contract.query>,
  now: Date,
): Promise<TestRun[]> {
  const { rows } = await sql<VariantSettings & { campagne_id: number; split: unknown }>`
    select c.campagne_id, c.message_id, c.subject, c.fromadr, c.fromname, c.reply_to, c.split
    from campaign c
    join client on client.client_id = c.client_id
    where c.client_id = ${clientId} and c.recurring_id = ${recurringId} and c.deleted_at is null
      and jsonb_array_length(c.split -> 'variants') > 0 and ${startedInPeriod(period, now)}
    order by c.started_at desc, c.campagne_id desc limit ${MOST_RUNS}`.execute(db)
  return rows.map(row => ({ ...row, split: splitField.parse(row.split) }))
}

/** Runs with the same name compare the same. */
function nameOf(run: TestRun): string {
  const delays = run.split.variants.map(variant => variant.delay_minutes)
  return JSON.stringify([variantsOf(run), delays])
}
