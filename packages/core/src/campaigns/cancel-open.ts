import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Whether a campaign `c` never sends again: it was stopped, archived or deleted. */
export const sendsNoMore = sql<boolean>`
  (c.valid in (${campaignState.stopped}, ${campaignState.archived}) or c.deleted_at is not null)`

/**
 * Ends a campaign in the transaction that stops, archives or deletes it. Its open deliveries are left to `cancelOpen`:
 * updating millions of rows takes longer than a request may.
 */
export async function endCampaign(
  tx: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
): Promise<void> {
  await sql`
    update campaign set finished_at = coalesce(finished_at, now()), progress_open = expanded_at is not null
    where client_id = ${clientId} and campagne_id = ${campaignId}
      and (expanded_at is not null or valid = ${campaignState.stopped})`.execute(tx)
}

/** Most rows that one statement cancels, which bounds how long row locks are held. */
const CANCEL_BATCH = 20_000

/**
 * Cancels the unsent deliveries of stopped, archived and deleted campaigns; the engine calls it repeatedly. Claimed
 * rows keep their outcome; those that come back deferred, or are released after their engine died, are cancelled too.
 * Stopped campaigns are checked for at least 30 minutes, as an engine that lost its connection may release rows that
 * late.
 */
export async function cancelOpen(db: Db): Promise<void> {
  const { rows } = await sql<{ client_id: number; campagne_id: number }>`
    select c.client_id, c.campagne_id from campaign c
    where ${sendsNoMore} and (
      c.finished_at is null and c.expanded_at is not null
      or (c.progress_open or c.valid = ${campaignState.stopped} and c.finished_at > now() - interval '30 minutes') and (
        select 1 from delivery d
        where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state in ('pending', 'deferred')
        limit 1) is not null)`.execute(db)
  for (const { client_id, campagne_id } of rows) {
    let cancelled = CANCEL_BATCH
    while (cancelled === CANCEL_BATCH) cancelled = await cancelBatch(db, client_id, campagne_id)
    await sql`
      update campaign c set finished_at = coalesce(finished_at, now()), progress_open = expanded_at is not null
      where client_id = ${client_id} and campagne_id = ${campagne_id} and ${sendsNoMore}`.execute(db)
  }
}

/**
 * Locks rows and updates them by ctid: with fresh statistics the planner may choose a nested loop over all rows for a
 * join.
 */
async function cancelBatch(db: Db, clientId: number, campaignId: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery
    set state = 'cancelled', recorded_at = now()
    where ctid = any(array(
      select ctid from delivery
      where client_id = ${clientId} and campagne_id = ${campaignId} and state in ('pending', 'deferred')
      limit ${CANCEL_BATCH}
      for update))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
