import type { Split } from '@emma/contract/split.ts'
import type { Counted } from '@emma/contract/statistics/compare-rates.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { readSegment, segmentMembers, segmentMemory } from '../../audience/segments/segment-members.ts'
import { isClicked, isOfMember, isOpened, isSent } from '../../reports/counted.ts'

/**
 * Figures of the recipients of one variant, of those who waited for the winner, or of the holdout. Opens, clicks,
 * unsubscribes and complaints are people among the delivered, so that none of them exceeds these.
 */
export interface VariantFigures {
  /** `rest`: got the winner. */
  part: 'variant' | 'rest' | 'holdout'
  /** Index of the variant. */
  variant: number | null
  /** Members who were to get it, or of the holdout. */
  recipients: number
  sent: number
  delivered: number
  opened: number
  clicked: number
  unsubscribed: number
  complained: number
  /** Recipients in the goal segment now; null without one. */
  reached_goal: number | null
}

/** Counts each part of an A/B test, in one campaign or over several ones, from the ledger, the event log and the goal segment. */
export async function countVariants(
  db: Db,
  { clientId, campaignIds }: { clientId: number; campaignIds: readonly number[] },
  goalListId: number | null,
): Promise<VariantFigures[]> {
  const goal = await goalMembers(db, clientId, goalListId)
  const did = (such: RawBuilder<boolean>) => sql`count(*) filter (where is_delivered and ${such})`
  const { rows } = await sql<VariantFigures>`
    with done as (
      select e.campagne_id, e.member_id, bool_or(${isOpened('e')}) as opened, bool_or(${isClicked('e')}) as clicked,
        bool_or(e.type = 'unsubscribe') as unsubscribed, bool_or(e.type = 'complaint') as complained,
        bool_or(e.type = 'bounce') as bounced
      from event e
      where e.client_id = ${clientId} and e.campagne_id = any(${campaignIds}::bigint[])
        and e.type in ('open', 'click', 'unsubscribe', 'complaint', 'bounce') and ${isOfMember('e')}
      group by e.campagne_id, e.member_id
    ), recipient as (
      select d.variant, d.skip_reason = 'holdout' as is_holdout, ${isSent('d')} as is_sent,
        ${isSent('d')} and not coalesce(done.bounced, false) as is_delivered,
        done.opened, done.clicked, done.unsubscribed, done.complained,
        ${goal ? sql`d.member_id in (select g.member_id from (${goal}) as g)` : sql`null::boolean`} as is_reached
      from delivery d
      left join done on done.campagne_id = d.campagne_id and done.member_id = d.member_id
      where d.client_id = ${clientId} and d.campagne_id = any(${campaignIds}::bigint[]) and ${isOfMember('d')}
        and (d.state <> 'skipped' or d.skip_reason = 'holdout')
    )
    select case when is_holdout then 'holdout' when variant is null then 'rest' else 'variant' end as part, variant,
      count(*) as recipients, count(*) filter (where is_sent) as sent, count(*) filter (where is_delivered) as delivered,
      ${did(sql`opened`)} as opened, ${did(sql`clicked`)} as clicked,
      ${did(sql`unsubscribed`)} as unsubscribed, ${did(sql`complained`)} as complained,
      ${goal ? sql`count(*) filter (where is_reached)` : sql`null::bigint`} as reached_goal
    from recipient
    group by 1, 2 order by 2 nulls last, 1`.execute(db)
  return rows
}

/** Counts what the winner is chosen by, at this moment. */
export function countDecisive(
  db: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
  split: Split,
): Promise<Counted[]> {
  return transaction(db, async tx => {
    await segmentMemory.execute(tx)
    return decisiveFigures(
      await countVariants(tx, { clientId, campaignIds: [campaignId] }, split.goal_list_id),
      split,
    )
  })
}

/** What the winner is chosen by: people of each variant, and those who did it. */
export function decisiveFigures(figures: readonly VariantFigures[], split: Split): Counted[] {
  return [{}, ...split.variants].map((_, index) => {
    const found = figures.find(({ part, variant }) => part === 'variant' && variant === index)
    return found ? decisiveOf(found, split.winner_by) : { n: 0, x: 0 }
  })
}

/** Conversions count among all who were to get it: who was not reached has not bought. */
function decisiveOf(figures: VariantFigures, by: Split['winner_by']): Counted {
  if (by === 'conversions') return { n: figures.recipients, x: figures.reached_goal ?? 0 }
  return { n: figures.delivered, x: by === 'opens' ? figures.opened : figures.clicked }
}

/** SELECT of the members of the goal segment; null if there is none, or it was deleted. */
async function goalMembers(db: Db, clientId: number, listId: number | null) {
  if (listId === null) return null
  const scope = { clientIds: [clientId] }
  const exists = await db
    .selectFrom('list')
    .select('list_id')
    .where('client_id', '=', clientId)
    .where('list_id', '=', listId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!exists) return null
  return segmentMembers(db, scope, { ...(await readSegment(db, scope, listId)), include_unsubscribed: true })
}
