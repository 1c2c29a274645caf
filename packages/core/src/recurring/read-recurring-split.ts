import type { readRecurringSplitReport as contract } from '@emma/contract/actions/recurring.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { type Split, split as splitField } from '@emma/contract/split.ts'
import { compareVariants } from '@emma/contract/statistics/compare-variants.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { countVariants, decisiveFigures } from '../campaigns/split/count-variants.ts'
import { withTemplates } from '../campaigns/split/variant-templates.ts'
import { type VariantSettings, variantsOf } from '../campaigns/split/variants.ts'
import type { RecurringKey } from './make-due-runs.ts'
import { startedInPeriod } from './report-period.ts'

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
  const tests = await findTests(db, { clientId, recurringId }, period, now)
  const [latest] = tests
  if (!latest) return { report: null }
  const idsOf = (some: readonly Test[]) => some.flatMap(test => test.campaignIds)
  const campaignIds = idsOf(tests.filter(test => nameOf(test) === nameOf(latest)))
  return transaction(db, async tx => {
    const split = await readSplit(tx, clientId, latest.campaignIds[0])
    const by = split.winner_by === 'opens' ? 'opens' : 'clicks'
    const counted = await countVariants(tx, { clientId, campaignIds }, null)
    const parts = counted.filter(({ part }) => part === 'variant')
    return {
      report: {
        runs: campaignIds.length,
        other_runs: idsOf(tests).length - campaignIds.length,
        split,
        variants: await withTemplates(tx, clientId, variantsOf(latest)),
        parts,
        by,
        compared: compareVariants(decisiveFigures(parts, { ...split, winner_by: by }), split.level),
      },
    }
  })
}

/** Runs with the same settings and variants. */
interface Test extends VariantSettings {
  split: Pick<Split, 'variants'>
  /** The last run first. */
  campaignIds: number[]
}

/** A/B tests of the runs, that of the last run first: few, although an hourly campaign runs 8,784 times in a leap year. */
async function findTests(
  db: Db,
  { clientId, recurringId }: RecurringKey,
  period: z.output<typeof contract.query>,
  now: Date,
): Promise<Test[]> {
  const { rows } = await sql<Omit<Test, 'split'> & { variants: unknown }>`
    select c.message_id, c.subject, c.fromadr, c.fromname, c.reply_to, c.split -> 'variants' as variants,
      array_agg(c.campagne_id order by c.started_at desc, c.campagne_id desc) as "campaignIds"
    from campaign c
    join client on client.client_id = c.client_id
    where c.client_id = ${clientId} and c.recurring_id = ${recurringId} and c.deleted_at is null
      and jsonb_array_length(c.split -> 'variants') > 0 and ${startedInPeriod(period, now)}
    group by c.message_id, c.subject, c.fromadr, c.fromname, c.reply_to, c.split -> 'variants'
    order by max(c.started_at) desc, max(c.campagne_id) desc`.execute(db)
  return rows.map(({ variants, ...row }) => ({
    ...row,
    split: { variants: splitField.shape.variants.parse(variants) },
  }))
}

/** Tests with the same name compare the same, however they were written down. */
function nameOf(test: Test): string {
  const delays = test.split.variants.map(variant => variant.delay_minutes)
  return JSON.stringify([variantsOf(test), delays])
}

async function readSplit(db: Db, clientId: number, campaignId: number | undefined): Promise<Split> {
  const { rows } = await sql<{ split: unknown }>`
    select split from campaign where client_id = ${clientId} and campagne_id = ${campaignId ?? null}`.execute(
    db,
  )
  return splitField.parse(rows[0]?.split)
}
