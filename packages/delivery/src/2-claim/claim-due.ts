import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { ClaimedRow } from '../model/outcome.ts'
import { bucketsIn, countSpent, applyRateLimits, type ClaimQuota } from './claim-quota.ts'
import { spendTokens, takeTokens } from './rate-limits.ts'

export interface Claim {
  rows: ClaimedRow[]
  /** Tokens of the quotas' buckets before the claim, in whole messages, by bucket name. */
  available: ReadonlyMap<string, number>
}

/**
 * Claims due rows of running campaigns for this engine, up to each quota. Committed on return, so that every message
 * sent afterwards is recorded as claimed, whatever happens to the engine. Rows held back by a limit stay due.
 * @param lease id of the engine's lease
 * @param quotas one per campaign
 */
export async function claimDue(db: Db, lease: string, quotas: readonly ClaimQuota[]): Promise<Claim> {
  const buckets = bucketsIn(quotas)
  // A single statement is its own transaction: most campaigns have no limits, and need no more.
  if (buckets.length === 0) return { rows: await claim(db, lease, quotas), available: new Map() }
  return transaction(db, async tx => {
    const available = await takeTokens(tx, buckets)
    const allowed = applyRateLimits(quotas, available)
    const rows = await claim(tx, lease, allowed)
    await spendTokens(tx, countSpent(allowed, rows))
    return { rows, available }
  })
}

/**
 * `with`, here and in all claims: a query in `from` may run again for each row of the other table, if the planner takes
 * that for small, and then finds the next rows beyond the limit each time.
 */
async function claim(db: Db, lease: string, quotas: readonly ClaimQuota[]): Promise<ClaimedRow[]> {
  const wanted = quotas.filter(quota => quota.limit > 0)
  if (wanted.length === 0) return []
  const { rows } = await sql<ClaimedRow>`
    with due as (${sql.join(wanted.map(dueRows), sql` union all `)})
    update delivery d
    set state = 'claimed', lease = ${lease}::uuid, claimed_at = now(), attempts = d.attempts + 1
    from due
    where d.client_id = due.client_id and d.campagne_id = due.campagne_id and d.member_id = due.member_id
    returning d.client_id as "clientId", d.campagne_id as "campaignId", d.member_id as "memberId", d.email,
      d.provider_id as "providerId", d.attempts, coalesce(d.variant, due.winner) as variant`.execute(db)
  return rows
}

/**
 * Due rows of one campaign, locked in the expected state. One subquery per campaign shows each limit to the planner:
 * with limits in an array it assumes a tenth of the table and reads all of it. The state is named here only; repeated
 * outside, it would lead the update over the index of due rows, a scan per row.
 *
 * Where receivers have limits, there is one subquery per receiver and one for each gap between them: the index skips
 * rows that must wait. They run one after the other until the campaign has enough, and take turns at being first.
 */
function dueRows(quota: ClaimQuota): RawBuilder<unknown> {
  const { limit, receivers: parts, closed } = quota
  const apart = [...parts.map(part => part.providerId), ...closed].toSorted((a, b) => a - b)
  if (apart.length === 0) return sql`select * from (${due(quota, sql``, sql`order by due_at`, limit)}) as one`
  const open = parts
    .filter(part => part.limit > 0)
    .map(part =>
      due(
        quota,
        sql`and provider_id = ${part.providerId}::bigint`,
        sql`order by due_at`,
        Math.min(limit, part.limit),
      ),
    )
  const between = [-1, ...apart].map((from, index) => {
    const to = apart[index]
    const below = to === undefined ? sql`` : sql`and provider_id < ${to}::bigint`
    return due(quota, sql`and provider_id > ${from}::bigint ${below}`, sql``, limit)
  })
  const arms = [...open, ...between].map(arm => sql`select * from (${arm}) as arm`)
  const first = Math.floor(Math.random() * arms.length)
  const turned = [...arms.slice(first), ...arms.slice(0, first)]
  return sql`select * from (${sql.join(turned, sql` union all `)} limit ${limit}) as one`
}

function due(
  { clientId, campaignId }: ClaimQuota,
  providers: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  return sql`
      select client_id, campagne_id, member_id, (
          select split_winner from campaign where client_id = ${clientId} and campagne_id = ${campaignId}
        ) as winner
      from delivery
      where client_id = ${clientId} and campagne_id = ${campaignId} and state in ('pending', 'deferred')
        ${providers} and due_at <= now() and (
          select valid from campaign where client_id = ${clientId} and campagne_id = ${campaignId}
        ) = ${campaignState.running}
      ${order}
      limit ${limit}
      for update skip locked`
}
