import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { quietHours } from '@emma/core/deliverability/limits/quiet-hours.ts'

/**
 * Recipients who wait for the winner of an A/B test are due this much later than planned: no claim finds them, and
 * their planned time is kept.
 */
export const WAITING = sql`interval '8766000 hours'`

/** Most rows that one statement releases, which bounds how long row locks are held. */
const BATCH = 20_000

/**
 * Releases the recipients who waited for the winner, or cancels them if there is none; the engine calls it repeatedly.
 * They are due as planned. In recipients' local time, those whose hour has passed are due at the same hour of the next
 * day.
 */
export async function releaseRest(db: Db, isStopping: () => boolean): Promise<void> {
  const { rows } = await sql<CampaignKey & { isCancelled: boolean }>`
    select client_id as "clientId", campagne_id as "campaignId", split_winner is null as "isCancelled" from campaign
    where split_waits and split_decided_at is not null and valid = ${campaignState.running}
      and deleted_at is null`.execute(db)
  for (const key of rows) {
    while (!isStopping() && (await release(db, key)));
  }
}

/** False when nothing is left to do, or a user is moving the campaign at this moment. */
function release(db: Db, { clientId, campaignId, isCancelled }: CampaignKey & { isCancelled: boolean }) {
  return transaction(db, async tx => {
    // A stop waits until the batch is through; what it releases is cancelled then.
    const { rows } = await sql`
      select from campaign
      where client_id = ${clientId} and campagne_id = ${campaignId} and split_waits
        and valid = ${campaignState.running}
      for update skip locked`.execute(tx)
    if (rows.length === 0) return false
    const { numAffectedRows } = await sql`
      update delivery d
      set ${isCancelled ? sql`state = 'cancelled', recorded_at = now(),` : sql``} due_at = case
        when d.zone is null then d.due_at - ${WAITING}
        else after_quiet(next_local_hour(d.due_at - ${WAITING}, d.zone), d.zone, hours.begins, hours.ends)
      end
      from (
        select ${quietHours.begins} as begins, ${quietHours.ends} as ends
        from campaign c join client using (client_id)
        where c.client_id = ${clientId} and c.campagne_id = ${campaignId}
      ) as hours
      where d.ctid = any(array(
        select ctid from delivery
        where client_id = ${clientId} and campagne_id = ${campaignId} and state in ('pending', 'deferred')
          and due_at > now() + interval '100 years'
        order by due_at limit ${BATCH}
        for update))`.execute(tx)
    if (Number(numAffectedRows ?? 0) === BATCH) return true
    await sql`
      update campaign set split_waits = false
      where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(tx)
    return false
  })
}
