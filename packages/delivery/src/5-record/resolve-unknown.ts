import { campaignState } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { fault } from '@emma/contract/faults.ts'

/**
 * Resends all messages of a campaign with unknown outcome, on a user's decision: the rows become due, and a finished
 * campaign runs again.
 * @returns the number of rows put back
 * @throws EmmaError `wrong_state` for a campaign that cannot send any more
 */
export function resolveUnknown(db: Db, key: CampaignKey): Promise<number> {
  return transaction(db, async tx => {
    const count = await putUnknownBack(tx, key)
    if (count === 0) return 0
    const { valid } = await tx
      .selectFrom('campaign')
      .select('valid')
      .where('client_id', '=', key.clientId)
      .where('campagne_id', '=', key.campaignId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (valid === campaignState.stopped || valid === campaignState.archived)
      throw new EmmaError('wrong_state', fault('refusal.ended_campaign'))
    // A paused campaign is recounted.
    await sql`
      update campaign set progress_open = true, updated_at = now()
      where client_id = ${key.clientId} and campagne_id = ${key.campaignId}`.execute(tx)
    await reopen(tx, key)
    return count
  })
}

/** Reopens a finished campaign that has due rows again. */
export async function reopen(tx: Db, key: CampaignKey): Promise<void> {
  await transition(tx, key, {
    from: [campaignState.finished],
    to: campaignState.running,
    set: { finished_at: sql`null` },
  })
}

/** Makes unknown rows due again. */
async function putUnknownBack(tx: Db, { clientId, campaignId }: CampaignKey): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery
    set state = 'pending', due_at = now(), lease = null
    where client_id = ${clientId} and campagne_id = ${campaignId} and state = 'unknown'`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Attempts after which an unknown message stays unknown, whatever the policy. */
const MOST_ATTEMPTS = 3

/** Rows of the ledger `d` that a campaign with that policy still has to resend. */
export const toResend = sql<boolean>`d.state = 'unknown' and d.attempts < ${sql.lit(MOST_ATTEMPTS)}`

/**
 * Puts back unknown rows of running campaigns that resend them. Not at once: an engine that only lost its connection,
 * or whose database failed over, reports the outcome within seconds, which avoids duplicates.
 * @param after minimum seconds since they became unknown
 * @returns the number of rows put back
 */
export async function resendUnknown(db: Db, after: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update delivery
    set state = 'pending', due_at = now(), lease = null
    where ctid = any(array(
      select own.ctid
      from campaign c cross join lateral (
        select d.ctid from delivery d
        where d.client_id = c.client_id and d.campagne_id = c.campagne_id and ${toResend}
          and d.recorded_at < now() - make_interval(secs => ${after}::float8)
        for update skip locked
      ) own
      where c.valid = ${campaignState.running} and c.unknown_policy = 'resend'))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
