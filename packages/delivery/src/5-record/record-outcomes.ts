import type { Db } from '@emma/db/connection.ts'
import { ERASED_ADDRESS } from '@emma/db/erased-address.ts'
import { sql } from 'kysely'
import { cleanReply } from '../model/clean-reply.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import { retryDelay } from './retry-delay.ts'

/** Outcome of a claimed row, with settings of its campaign. */
export interface Settled {
  row: ClaimedRow
  outcome: Outcome
  /** Factor for retry delays: 1, less in the testbed. */
  retryScale: number
  /** The campaign resends messages with unknown outcome. */
  resendUnknown: boolean
}

/**
 * Writes outcomes to the ledger, and deferrals and rejections to the event log, in one statement. Only rows still
 * claimed by this engine change; rows marked unknown meanwhile (it lost its connection) get their outcome.
 *
 * Each row is looked up by key and locked individually: a join is planned by the estimated selectivity of leases and
 * states, and with young statistics that means reading the whole ledger for every batch.
 * @param lease the lease under which the rows were claimed
 * @returns the number of recorded rows
 */
export async function recordOutcomes(
  db: Db,
  lease: string,
  records: readonly LedgerRecord[],
): Promise<number> {
  const recorded = await recordOnce(db, lease, records)
  // A row that was marked unknown while the statement waited for it is visible only to the next statement.
  return recorded < records.length ? recorded + (await recordOnce(db, lease, records)) : recorded
}

async function recordOnce(db: Db, lease: string, records: readonly LedgerRecord[]): Promise<number> {
  const column = <K extends keyof LedgerRecord>(name: K) => records.map(record => record[name])
  const { rows: counted } = await sql<{ count: number }>`
    with outcome as (
      select * from unnest(
        ${column('clientId')}::bigint[], ${column('campaignId')}::bigint[], ${column('memberId')}::bigint[],
        ${column('attempt')}::smallint[],
        ${column('state')}::delivery_state[], ${column('skipReason')}::skip_reason[],
        ${column('attempts')}::smallint[], ${column('delay')}::float8[], ${column('code')}::smallint[],
        ${column('enhanced')}::text[], ${column('reply')}::text[], ${column('class')}::text[],
        ${column('hard')}::boolean[]
      ) as o (client_id, campagne_id, member_id, attempt, state, skip_reason, attempts, delay, smtp_code, enhanced,
        reply, class, hard)
    ), own as (
      select o.*, claimed.ctid
      from outcome o cross join lateral (
        select d.ctid from delivery d
        where d.client_id = o.client_id and d.campagne_id = o.campagne_id and d.member_id = o.member_id
          and d.attempts = o.attempt and d.lease = ${lease}::uuid and d.state in ('claimed', 'unknown')
        for update
      ) as claimed
    ), recorded as (
      update delivery d
      set state = o.state, skip_reason = o.skip_reason, attempts = o.attempts, recorded_at = now(),
        due_at = now() + make_interval(secs => o.delay), smtp_code = o.smtp_code, enhanced = o.enhanced,
        reply = case when d.email <> ${ERASED_ADDRESS} then o.reply end, class = o.class, hard = o.hard
      from own o
      where d.ctid = o.ctid and d.client_id = o.client_id
      returning d.client_id, d.campagne_id, d.member_id, d.email, d.provider_id, d.state, d.smtp_code, d.enhanced,
        d.reply, d.class, d.hard
    ), logged as (
      insert into event (client_id, type, campagne_id, member_table_id, member_id, email, provider_id, smtp_code,
        enhanced, reply, class, hard, source)
      select r.client_id, case r.state when 'rejected' then 'bounce' else 'deferred' end::event_type, r.campagne_id,
        c.member_table_id, r.member_id, r.email, r.provider_id, r.smtp_code, r.enhanced, r.reply, r.class, r.hard,
        'smtp'
      from recorded r
      join campaign c on c.client_id = r.client_id and c.campagne_id = r.campagne_id
      where r.state in ('rejected', 'deferred')
    )
    select count(*) as count from recorded`.execute(db)
  return counted[0]?.count ?? 0
}

/** New values of a ledger row. */
export interface LedgerRecord extends CampaignKey {
  memberId: number
  /** Attempt that the outcome belongs to. */
  attempt: number
  state: 'pending' | 'sent' | 'deferred' | 'rejected' | 'unknown' | 'skipped'
  skipReason: string | null
  /** Attempts so far. */
  attempts: number
  /** Seconds until it is due again. */
  delay: number
  code: number | null
  enhanced: string | null
  reply: string | null
  class: string | null
  hard: boolean | null
}

/** Converts an outcome to ledger values: due again, or final. */
export function toRecord({ row, outcome, retryScale, resendUnknown }: Settled): LedgerRecord {
  const { clientId, campaignId, memberId, attempts } = row
  const record = { clientId, campaignId, memberId, attempt: attempts, attempts, delay: 0, skipReason: null }
  const silent = { code: null, enhanced: null, reply: null, class: null, hard: null }
  if (outcome.kind === 'returned') return { ...record, ...silent, state: 'pending', attempts: attempts - 1 }
  if (outcome.kind === 'skipped')
    return { ...record, ...silent, state: 'skipped', skipReason: outcome.reason }
  const { code, enhanced, text, class: reason, hard } = outcome.reply
  const reply = { code, enhanced, reply: cleanReply(text), class: reason, hard }
  const mayRetry =
    outcome.kind === 'deferred' || (outcome.kind === 'unknown' && resendUnknown && attempts < 3)
  if (!mayRetry)
    return { ...record, ...reply, state: outcome.kind === 'deferred' ? 'rejected' : outcome.kind }
  const usual = retryDelay(attempts)
  // A rule's delay does not increase the number of attempts.
  const delay = usual === null ? null : (outcome.retryAfter ?? usual * retryScale)
  if (delay === null) return { ...record, ...reply, state: 'rejected' }
  return { ...record, ...reply, state: 'deferred', delay }
}
