import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'
import { putUnknownBack } from './resolve-unknown.ts'

/** Rows of a campaign that an engine had in flight when it died. */
export interface LostRows extends CampaignKey {
  count: number
  /** Put back to be sent again, because the campaign's policy says so. */
  resent: number
}

const WORDS = 'The engine that sent this mail ended before it knew the answer.'

/**
 * Finds rows whose engine is dead, and calls them unknown: nobody can say whether they left. Where the campaign's policy
 * is to send again, they are put back on purpose.
 */
export async function recoverLost(sql: Sql): Promise<LostRows[]> {
  const { rows } = await raw<{ lease: string }>`
    select distinct lease from delivery where state = 'claimed'`.execute(sql)
  const lost: LostRows[] = []
  for (const { lease } of rows) lost.push(...(await recoverLease(sql, lease)))
  return lost
}

function recoverLease(sql: Sql, lease: string): Promise<LostRows[]> {
  return transaction(sql, async tx => {
    // The lock is free only when its engine is gone; held until the end, so that one engine recovers a lease.
    const { rows: taken } = await raw<{ gone: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${lease}, 0)) as gone`.execute(tx)
    if (!taken[0]?.gone) return []
    const { rows } = await raw<CampaignKey & { count: number; policy: string }>`
      with lost as (
        update delivery
        set state = 'unknown', recorded_at = now(), reply = ${WORDS}, class = 'connection', hard = false
        where lease = ${lease}::uuid and state = 'claimed'
        returning client_id, campagne_id
      )
      select lost.client_id as "clientId", lost.campagne_id as "campaignId", count(*) as count,
        c.unknown_policy as policy
      from lost join campaign c using (client_id, campagne_id)
      group by 1, 2, 4`.execute(tx)
    const result: LostRows[] = []
    for (const { policy, ...campaign } of rows) {
      const resent = policy === 'resend' ? await putUnknownBack(tx, campaign, lease) : 0
      result.push({ ...campaign, resent })
    }
    return result
  })
}
