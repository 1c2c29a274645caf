import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'
import type { ClaimedRow } from '../outcome.ts'
import { type Pace, spendTokens, takeTokens } from './pace.ts'

/** How many rows of a campaign may be claimed now. */
export interface Grant extends CampaignKey {
  limit: number
  /** Null: as fast as it goes. */
  pace: Pace | null
}

/**
 * Claims due rows of running campaigns for this engine, up to what each may have. Committed when it returns: a mail
 * that leaves afterwards is known to be on its way, whatever happens to the engine.
 *
 * @param lease the engine's identity
 */
export function claimDue(sql: Sql, lease: string, grants: readonly Grant[]): Promise<ClaimedRow[]> {
  return transaction(sql, async tx => {
    const allowed = await takeTokens(tx, grants)
    const wanted = allowed.filter(grant => grant.limit > 0)
    if (wanted.length === 0) return []
    const { rows } = await raw<ClaimedRow>`
      update delivery d
      set state = 'claimed', lease = ${lease}::uuid, claimed_at = now(), attempts = d.attempts + 1
      from (
        select due.client_id, due.campagne_id, due.member_id
        from unnest(
          ${wanted.map(grant => grant.clientId)}::int[],
          ${wanted.map(grant => grant.campaignId)}::bigint[],
          ${wanted.map(grant => grant.limit)}::int[]
        ) as wanted (client_id, campagne_id, quota)
        join campaign c on c.client_id = wanted.client_id and c.campagne_id = wanted.campagne_id
          and c.valid = ${campaignState.running}
        cross join lateral (
          select client_id, campagne_id, member_id
          from delivery
          where client_id = wanted.client_id and campagne_id = wanted.campagne_id
            and state in ('pending', 'deferred') and due_at <= now()
          order by due_at
          limit wanted.quota
          for update skip locked
        ) due
      ) due
      where d.client_id = due.client_id and d.campagne_id = due.campagne_id and d.member_id = due.member_id
        and d.state in ('pending', 'deferred')
      returning d.client_id as "clientId", d.campagne_id as "campaignId", d.member_id as "memberId", d.email,
        d.attempts`.execute(tx)
    await spendTokens(tx, wanted, rows)
    return rows
  })
}
