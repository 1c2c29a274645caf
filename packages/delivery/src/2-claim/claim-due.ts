import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql as raw } from 'kysely'
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
export async function claimDue(sql: Sql, lease: string, grants: readonly Grant[]): Promise<ClaimedRow[]> {
  // One statement is a transaction of its own: most campaigns have no throttle, and need no more.
  if (grants.every(grant => grant.pace === null)) return claim(sql, lease, grants)
  return transaction(sql, async tx => {
    const allowed = await takeTokens(tx, grants)
    const rows = await claim(tx, lease, allowed)
    await spendTokens(tx, allowed, rows)
    return rows
  })
}

async function claim(sql: Sql, lease: string, grants: readonly Grant[]): Promise<ClaimedRow[]> {
  const wanted = grants.filter(grant => grant.limit > 0)
  if (wanted.length === 0) return []
  const { rows } = await raw<ClaimedRow>`
    update delivery d
    set state = 'claimed', lease = ${lease}::uuid, claimed_at = now(), attempts = d.attempts + 1
    from (${raw.join(wanted.map(dueRows), raw` union all `)}) due
    where d.client_id = due.client_id and d.campagne_id = due.campagne_id and d.member_id = due.member_id
    returning d.client_id as "clientId", d.campagne_id as "campaignId", d.member_id as "memberId", d.email,
      d.attempts`.execute(sql)
  return rows
}

/**
 * Due rows of one campaign, locked in the state that is expected. An arm a campaign, so that the planner sees each limit:
 * with the limits in an array it takes a tenth of the table for granted and reads all of it. The state is named here
 * and not once more outside, where it would lead the update over the index of due rows, a scan for every row.
 */
function dueRows({ clientId, campaignId, limit }: Grant): RawBuilder<unknown> {
  return raw`select * from (
      select client_id, campagne_id, member_id
      from delivery
      where client_id = ${clientId} and campagne_id = ${campaignId} and state in ('pending', 'deferred')
        and due_at <= now() and (
          select valid from campaign where client_id = ${clientId} and campagne_id = ${campaignId}
        ) = ${campaignState.running}
      order by due_at
      limit ${limit}
      for update skip locked) as one`
}
