import { campaignState } from '@emma/contract/campaign-states.ts'
import { isSent } from '@emma/core/reports/counted.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'

/** Members per statement, ordered by key: imports and event processing update members too. */
const BATCH = 10_000

/**
 * Copies the times of messages with a final outcome from the ledger to the members' `last_sent_at`. Not per recorded
 * batch: a large import locks its members' rows, and sending would wait for it. Idempotent.
 * @returns the number of changed members
 */
export async function markSent(
  db: Db,
  { clientId, campaignId, memberTableId }: CampaignKey & { memberTableId: number },
): Promise<number> {
  const members = sql.id('members', `t${memberTableId}`)
  let changed = 0
  for (let after: number | null = 0; after !== null; ) {
    const { rows } = await sql<{ last: number | null; changed: number }>`
      with batch as (
        select member_id, state, recorded_at
        from delivery
        where client_id = ${clientId} and campagne_id = ${campaignId} and member_id > ${after}
        order by member_id
        limit ${BATCH}
      ), due as (
        select m.member_id, batch.recorded_at
        from batch
        join ${members} m on m.client_id = ${clientId} and m.member_id = batch.member_id
        where ${isSent('batch')} and (m.last_sent_at is null or m.last_sent_at < batch.recorded_at)
        order by m.member_id
        for update of m
      ), marked as (
        update ${members} m set last_sent_at = due.recorded_at
        from due
        where m.client_id = ${clientId} and m.member_id = due.member_id
        returning 1
      )
      select (select max(member_id) from batch) as last, (select count(*) from marked) as changed`.execute(db)
    changed += rows[0]?.changed ?? 0
    after = rows[0]?.last ?? null
  }
  return changed
}

export interface CampaignToMark extends CampaignKey {
  memberTableId: number
  /** Null: more messages will follow. */
  finishedAt: string | null
}

/** Campaigns that may have times to copy: running ones, and those that ended within a day. */
export async function listToMark(db: Db): Promise<CampaignToMark[]> {
  const { rows } = await sql<CampaignToMark>`
    select client_id as "clientId", campagne_id as "campaignId", member_table_id as "memberTableId",
      finished_at as "finishedAt"
    from campaign
    where expanded_at is not null and member_table_id is not null
      and (valid in (${campaignState.running}, ${campaignState.paused}) or finished_at > now() - interval '1 day')`.execute(
    db,
  )
  return rows
}
