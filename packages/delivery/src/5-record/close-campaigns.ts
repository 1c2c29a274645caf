import { campaignFaults } from '@emma/contract/campaign-faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql } from 'kysely'
import { toResend } from './resolve-unknown.ts'
import { clearWaitReasons } from './set-wait-reason.ts'

interface Moved {
  client_id: number
  campagne_id: number
  name: string
  valid: number
  error?: string | null
}

/** Campaigns of which nothing is left to be sent are finished; those of which nothing is due yet wait for no next hop. */
export function finishCampaigns(db: Db): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<Moved>`
      update campaign c
      set valid = ${campaignState.finished}, finished_at = now(), progress_cur = estimated_volume,
        progress_open = false, error = null, updated_at = now(), revision = revision + 1
      where c.valid = ${campaignState.running} and c.expanded_at is not null
        and ${nothing(sql`d.state in ('pending', 'deferred')`)} and ${nothing(sql`d.state in ('claimed')`)}
        and (c.unknown_policy <> 'resend' or ${nothing(toResend)})
      returning c.client_id, c.campagne_id, c.name, c.valid`.execute(tx)
    await announce(tx, rows)
    await clearWaitReasons(tx)
  })
}

/**
 * A campaign that was finished runs again when one of its unknown mails turns out to be due: its engine, cut off from the
 * database for a while, knew that it had been deferred, or never left.
 */
export function reopenCampaigns(db: Db): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<Moved>`
      update campaign c
      set valid = ${campaignState.running}, finished_at = null, updated_at = now(), revision = revision + 1
      where c.valid = ${campaignState.finished} and c.finished_at > now() - interval '30 minutes'
        and not ${nothing(sql`d.state in ('pending', 'deferred')`)}
      returning c.client_id, c.campagne_id, c.name, c.valid`.execute(tx)
    await announce(tx, rows)
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
    const { rows } = await sql<Moved>`
      update campaign c
      set valid = due.next, updated_at = now(), revision = revision + 1,
        error = case when due.next <> ${campaignState.preparing} then
          replace(${campaignFaults.missed}::text, '{time}',
            to_char(wall_clock(c.startdate, due.timezone), 'YYYY-MM-DD HH24:MI')) end
      from (
        select client_id, campagne_id, timezone, case
            when startdate > now() - make_interval(mins => missed_minutes) or missed_policy = 'send'
              then ${campaignState.preparing}
            when missed_policy = 'skip' then ${campaignState.stopped}
            else ${campaignState.held}
          end::smallint as next
        from campaign join client using (client_id)
        where valid = ${campaignState.scheduled} and campaign.deleted_at is null
          and startdate <= now() + case when local_time then interval '26 hours' else interval '0' end
          and (not local_time or from_wall_clock(wall_clock(startdate, timezone), ${FIRST_ZONE}) <= now())
        -- One that is being changed or removed at this moment is looked at again in the next round.
        for update of campaign skip locked
      ) due
      where c.client_id = due.client_id and c.campagne_id = due.campagne_id and c.valid = ${campaignState.scheduled}
      returning c.client_id, c.campagne_id, c.name, c.valid, c.error`.execute(tx)
    await announce(tx, rows)
  })
}

/** Nowhere is the day earlier. */
const FIRST_ZONE = 'Pacific/Kiritimati'

/**
 * A campaign that cannot go on, with the reason in its `error`: failed when its content is at fault, held when somebody
 * can change what is in the way. One that has its ledger is always held: it can go on where it stopped.
 */
export function failCampaign(
  db: Db,
  key: { clientId: number; campaignId: number },
  to: 'failed' | 'held',
  error: string,
): Promise<void> {
  return transaction(db, async tx => {
    const { rows } = await sql<Moved>`
      update campaign
      set valid = case when expanded_at is null then ${campaignState[to]} else ${campaignState.held} end::smallint,
        finished_at = case when ${to} = 'failed' and expanded_at is null then now() else finished_at end,
        error = ${error}, updated_at = now(), revision = revision + 1
      where client_id = ${key.clientId} and campagne_id = ${key.campaignId}
        and valid in (${campaignState.running}, ${campaignState.preparing})
      returning client_id, campagne_id, name, valid, error`.execute(tx)
    await announce(tx, rows)
  })
}

async function announce(tx: Db, moved: readonly Moved[]): Promise<void> {
  for (const campaign of moved) {
    const { client_id, campagne_id, name, valid } = campaign
    await publish(tx, { client_id, type: 'CAMPAIGN_STATUS', data: { campagne_id, name, valid } })
    await notify(tx, campaign)
  }
}

/** What nobody did by hand is kept for the bell: a campaign that is through, or that cannot go on. */
async function notify(tx: Db, { client_id, campagne_id, name, valid, error }: Moved): Promise<void> {
  const common = {
    clientId: client_id,
    permission: 'EmmaCampaign:get',
    details: { name, reason: error ?? '' },
  }
  if (valid === campaignState.finished)
    await addNotification(tx, {
      ...common,
      kind: 'success',
      code: 'campaign_finished',
      text: `The campaign “${name}” is finished.`,
      path: `/campaigns/reports/${campagne_id}`,
    })
  if (valid === campaignState.stopped)
    await addNotification(tx, {
      ...common,
      kind: 'warning',
      code: 'campaign_missed',
      text: `The campaign “${name}” was not sent: ${error ?? ''}`,
      path: `/campaigns/start/${campagne_id}`,
    })
  if (valid === campaignState.failed || valid === campaignState.held)
    await addNotification(tx, {
      ...common,
      kind: 'danger',
      code: valid === campaignState.failed ? 'campaign_failed' : 'campaign_held',
      text: `The campaign “${name}” does not go on: ${error ?? ''}`,
      path: `/campaigns/start/${campagne_id}`,
    })
}
