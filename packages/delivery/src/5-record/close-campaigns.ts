import { fault, type Fault } from '@emma/contract/faults.ts'
import { type CampaignState, campaignState } from '@emma/contract/campaign-states.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { reopen, toResend } from './resolve-unknown.ts'
import { clearWaitReasons } from './set-wait-reason.ts'

/** Campaigns of which nothing is left to be sent are finished; those of which nothing is due yet wait for no next hop. */
export function finishCampaigns(db: Db): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<CampaignKey>`
      select c.client_id as "clientId", c.campagne_id as "campaignId" from campaign c
      where c.valid = ${campaignState.running} and c.expanded_at is not null
        and ${nothing(sql`d.state in ('pending', 'deferred')`)} and ${nothing(sql`d.state in ('claimed')`)}
        and (c.unknown_policy <> 'resend' or ${nothing(toResend)})
      for update of c`.execute(tx)
    for (const key of rows)
      await transition(tx, key, {
        from: [campaignState.running],
        to: campaignState.finished,
        set: {
          finished_at: sql`now()`,
          progress_cur: sql`estimated_volume`,
          progress_open: sql`false`,
        },
      })
    await clearWaitReasons(tx)
  })
}

/**
 * A campaign that was finished runs again when one of its unknown mails turns out to be due: its engine, cut off from the
 * database for a while, knew that it had been deferred, or never left.
 */
export function reopenCampaigns(db: Db): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<CampaignKey>`
      select c.client_id as "clientId", c.campagne_id as "campaignId" from campaign c
      where c.valid = ${campaignState.finished} and c.finished_at > now() - interval '30 minutes'
        and not ${nothing(sql`d.state in ('pending', 'deferred')`)}
      for update of c`.execute(tx)
    for (const key of rows) await reopen(tx, key)
  })
}

/** A scalar subquery stays one look into the state's index, where NOT EXISTS may become a join over all rows. */
function nothing(such: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(
    select 1 from delivery d
    where d.client_id = c.client_id and d.campagne_id = c.campagne_id and ${such}
    limit 1) is null`
}

/**
 * Scheduled campaigns whose time has come are prepared; those that go out by everybody's own clock when it comes in the
 * first time zone of the world. A time that passed long ago, while everything was down, is the campaign's own matter: it
 * is sent all the same, dropped, or held until somebody has decided.
 */
export function startScheduled(db: Db): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<CampaignKey & { to: CampaignState; time: string }>`
      select client_id as "clientId", campagne_id as "campaignId",
        case
          when startdate > now() - make_interval(mins => missed_minutes) or missed_policy = 'send'
            then ${campaignState.preparing}
          when missed_policy = 'skip' then ${campaignState.stopped}
          else ${campaignState.held}
        end::smallint as to,
        to_char(wall_clock(startdate, timezone), 'YYYY-MM-DD HH24:MI') as time
      from campaign join client using (client_id)
      where valid = ${campaignState.scheduled} and campaign.deleted_at is null
        and startdate <= now() + case when local_time then interval '26 hours' else interval '0' end
        and (not local_time or from_wall_clock(wall_clock(startdate, timezone), ${FIRST_ZONE}) <= now())
      -- One that is being changed or removed at this moment is looked at again in the next round.
      for update of campaign skip locked`.execute(tx)
    for (const { to, time, ...key } of rows) {
      const reason = to === campaignState.preparing ? undefined : fault('campaign.missed', { time })
      await transition(tx, key, { from: [campaignState.scheduled], to, reason })
    }
  })
}

/** Nowhere is the day earlier. */
const FIRST_ZONE = 'Pacific/Kiritimati'

/**
 * A campaign that cannot go on, with the reason in its `error`: failed when its content is at fault, held when somebody
 * can change what is in the way. One that has its ledger is always held: it can go on where it stopped.
 */
export function failCampaign(db: Db, key: CampaignKey, to: 'failed' | 'held', reason: Fault): Promise<void> {
  return transaction(db, async tx => {
    const campaign = await tx
      .selectFrom('campaign')
      .select('expanded_at')
      .where('client_id', '=', key.clientId)
      .where('campagne_id', '=', key.campaignId)
      .forUpdate()
      .executeTakeFirst()
    const fails = to === 'failed' && campaign?.expanded_at === null
    await transition(tx, key, {
      from: [campaignState.running, campaignState.preparing],
      to: fails ? campaignState.failed : campaignState.held,
      reason,
      set: fails ? { finished_at: sql`now()` } : {},
    })
  })
}
