import { fault, type Fault } from '@emma/contract/faults.ts'
import { type CampaignState, campaignState } from '@emma/contract/campaign-states.ts'
import { findOverdueFault } from '@emma/core/billing/due-documents.ts'
import { findApprovalFault } from '@emma/core/campaigns/approval/approval-fault.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { reopen, toResend } from './resolve-unknown.ts'
import { clearWaitReasons } from './set-wait-reason.ts'

/** Finishes campaigns without pending rows, and clears the wait reason of those without due rows. */
export async function finishCampaigns(db: Db): Promise<void> {
  if ((await findDone(db)).length > 0)
    await transaction(db, async tx => {
      for (const key of await findDone(tx))
        await transition(tx, key, {
          from: [campaignState.running],
          to: campaignState.finished,
          set: {
            finished_at: sql`now()`,
            progress_cur: sql`estimated_volume`,
            progress_open: sql`false`,
          },
        })
    })
  await clearWaitReasons(db)
}

/** Running campaigns with nothing left to send; one that gets a process mail at this moment is left out. */
async function findDone(db: Db): Promise<CampaignKey[]> {
  const { rows } = await sql<CampaignKey>`
    select c.client_id as "clientId", c.campagne_id as "campaignId" from campaign c
    where c.valid = ${campaignState.running} and c.expanded_at is not null
      and ${nothing(sql`d.state in ('pending', 'deferred')`)} and ${nothing(sql`d.state in ('claimed')`)}
      and (c.unknown_policy <> 'resend' or ${nothing(toResend)})
    for update of c skip locked`.execute(db)
  return rows
}

/**
 * Reopens a finished campaign if one of its unknown messages is due after all: its engine, disconnected from the
 * database for a while, knew that it was deferred or not sent.
 */
export async function reopenCampaigns(db: Db): Promise<void> {
  if ((await findReopened(db)).length > 0)
    await transaction(db, async tx => {
      for (const key of await findReopened(tx)) await reopen(tx, key)
    })
}

async function findReopened(db: Db): Promise<CampaignKey[]> {
  const { rows } = await sql<CampaignKey>`
    select c.client_id as "clientId", c.campagne_id as "campaignId" from campaign c
    where c.valid = ${campaignState.finished} and c.finished_at > now() - interval '30 minutes'
      and not ${nothing(sql`d.state in ('pending', 'deferred')`)}
    for update of c`.execute(db)
  return rows
}

/** A scalar subquery stays one index lookup, whereas NOT EXISTS may become a join over all rows. */
function nothing(such: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(
    select 1 from delivery d
    where d.client_id = c.client_id and d.campagne_id = c.campagne_id and ${such}
    limit 1) is null`
}

/**
 * Prepares scheduled campaigns whose time has come; those in recipients' local time when it comes in the first time
 * zone of the world. If the time passed long ago, during an outage, the campaign's setting decides: send anyway,
 * drop, or hold. One that was changed after its approval is held, and so is one of a client that has not confirmed the
 * terms or the data-processing agreement in time.
 */
export async function startScheduled(db: Db): Promise<void> {
  if ((await findScheduled(db)).length > 0)
    await transaction(db, async tx => {
      for (const { to, time, ...key } of await findScheduled(tx)) {
        const from = [campaignState.scheduled]
        if (to !== campaignState.preparing) {
          await transition(tx, key, { from, to, reason: fault('campaign.missed', { time }) })
          continue
        }
        const reason =
          (await findApprovalFault(tx, key)) ?? (await findOverdueFault(tx, key.clientId)) ?? undefined
        await transition(tx, key, { from, to: reason ? campaignState.held : to, reason })
      }
    })
}

/** Scheduled campaigns whose time has come, and where they go; those that are being changed at this moment are left out. */
async function findScheduled(db: Db): Promise<(CampaignKey & { to: CampaignState; time: string })[]> {
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
    for update of campaign skip locked`.execute(db)
  return rows
}

/** The earliest time zone. */
const FIRST_ZONE = 'Pacific/Kiritimati'

/**
 * Ends a campaign that cannot continue, with the reason in its `error`: `failed` if its content is at fault, `held`
 * if somebody can fix the cause. An expanded campaign is always held, since it can be resumed.
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
