import { fault, reasonOf } from '@emma/contract/faults.ts'
import {
  type CampaignAction,
  type CampaignState,
  campaignState,
  campaignTransitions,
} from '@emma/contract/campaign-states.ts'
import { fieldError, EmmaError, invalid } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { assertApprovedStart } from './approval/assert-approved-start.ts'
import { type Campaign, campaignOperations } from './campaign-operations.ts'
import { type CheckContext, checkCampaign } from './check-campaign.ts'
import type { Finding } from './finding.ts'
import { lockCampaign } from './lock-campaign.ts'
import { findSendingFaults, senderSettingsOf } from './sending-faults.ts'
import { transition } from './transition.ts'

export interface MoveOptions {
  /** Start time for `start` and `schedule`, ISO 8601. Omitted: the campaign's own; null: now. */
  startdate?: string | null | undefined
}

/** A start time this far in the past still means now: clocks differ, and a confirmation takes a moment. */
const START_TOLERANCE_MS = 60_000

/**
 * Applies an action to a campaign (POST …/campaign/{id}/{action}, R196). Errors of the check block starting and
 * scheduling. The engine does the rest: it expands campaigns in state 4, and reacts to pause and stop within a second.
 * @throws EmmaError `wrong_state` when the action is not allowed in the campaign's state, `invalid` with the check's
 * errors
 */
export function moveCampaign(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
  action: CampaignAction,
  options: MoveOptions,
  context: CheckContext,
): Promise<Campaign> {
  return transaction(db, async tx => {
    const { isExpanded } = await lockCampaign(tx, scope, id)
    const campaign = await campaignOperations.find(tx, actor, scope, id)
    const from = campaignTransitions[action].find(state => state === campaign.valid)
    if (from === undefined)
      throw new EmmaError(
        'wrong_state',
        fault('refusal.campaign_state', { state: nameOf(campaign.valid), action }),
      )
    if (action === 'copy') return copyCampaign(tx, actor, campaign)
    // A campaign with a ledger resumes where it stopped: its recipients and content are fixed.
    const resumes = action === 'start' && (isExpanded || campaign.valid === campaignState.paused)
    if (resumes) await assertMaySend(tx, campaign)
    else if (action === 'start' || action === 'schedule') {
      await assertReady(tx, campaign, context)
      const { startdate = campaign.startdate } = options
      await assertApprovedStart(tx, campaign, startdate)
    }
    const to = resumes ? campaignState.running : await target(tx, action, campaign, options)
    await move(tx, actor, campaign, { from, to, action }, options)
    return campaignOperations.find(tx, actor, scope, id)
  })
}

async function target(
  tx: Db,
  action: Exclude<CampaignAction, 'copy'>,
  campaign: Campaign,
  { startdate }: MoveOptions,
): Promise<CampaignState> {
  switch (action) {
    case 'unarchive':
      return stateBeforeArchive(tx, campaign)
    case 'start': {
      const date = startdate === undefined ? campaign.startdate : startdate
      if (date === null) return campaignState.preparing
      const wait = Date.parse(date) - Date.now()
      // A wrong year or time zone must not send at once; null asks for that explicitly.
      if (wait < -START_TOLERANCE_MS) throw invalid([fieldError('startdate', 'field.future')])
      return wait > 0 ? campaignState.scheduled : campaignState.preparing
    }
    case 'schedule': {
      const date = startdate ?? campaign.startdate
      if (date === null || Date.parse(date) <= Date.now())
        throw invalid([fieldError('startdate', 'field.future')])
      return campaignState.scheduled
    }
    case 'pause':
      return campaignState.paused
    case 'stop':
      return campaignState.stopped
    case 'archive':
      return campaignState.archived
    case 'cancel':
      return campaignState.draft
  }
}

/** Unarchiving restores the previous state, so that a sent or failed campaign never becomes a draft again. */
async function stateBeforeArchive(db: Db, campaign: Campaign): Promise<CampaignState> {
  const found = await sql<{ valid: number }>`
    select (changes -> 'valid' ->> 0)::int as valid from change_log
    where client_id = ${campaign.client_id} and object = 'campaign' and object_id = ${campaign.campagne_id}
      and action = 'archive'
    order by id desc limit 1`.execute(db)
  const before = campaignTransitions.archive.find(state => state === found.rows[0]?.valid)
  if (before !== undefined) return before
  return campaign.started_at === null ? campaignState.draft : campaignState.finished
}

async function move(
  tx: Db,
  actor: Actor,
  campaign: Campaign,
  { from, to, action }: { from: CampaignState; to: CampaignState; action: CampaignAction },
  { startdate }: MoveOptions,
): Promise<void> {
  const isStart = to === campaignState.preparing
  const date = startdate ?? campaign.startdate
  const key = { clientId: campaign.client_id, campaignId: campaign.campagne_id }
  const isMoved = await transition(tx, key, {
    from: [from],
    to,
    by: { actor, action },
    set: {
      ...((action === 'start' || action === 'schedule') && { startdate: sql`${date}::timestamptz` }),
      ...(isStart && { startdate: sql`now()`, started_at: sql`coalesce(started_at, now())` }),
      ...(to === campaignState.stopped && { enddate: sql`now()` }),
    },
  })
  if (!isMoved) throw new EmmaError('wrong_state', fault('refusal.moved_campaign'))
}

/** The part of the check that applies at any time: client, domain, mail class and sending service. */
async function assertMaySend(db: Db, campaign: Campaign): Promise<void> {
  const [faults = []] = await findSendingFaults(db, [senderSettingsOf(campaign)])
  assertNone(faults.map(({ field, fault }) => ({ field, ...reasonOf(fault) })))
}

async function assertReady(db: Db, campaign: Campaign, context: CheckContext): Promise<void> {
  const { errors } = await checkCampaign(db, campaign, context)
  assertNone(errors)
}

function assertNone(errors: readonly Omit<Finding, 'code'>[]): void {
  if (errors.length === 0) return
  throw invalid(
    errors.map(({ field, reason, values, message }) => ({
      field,
      code: reason,
      ...(values && { values }),
      message,
    })),
  )
}

const copied = [
  'member_table_id',
  'list_id',
  'exclude_list_ids',
  'blacklist_ids',
  'message_id',
  'domain_id',
  'mailclass_id',
  'esp_id',
  'capping_id',
  'send_once_key',
  'category_value_ids',
  'test_group_id',
  'split',
  'fromadr',
  'fromname',
  'reply_to',
  'subject',
  'throttle',
  'throttle_unit',
  'use_domain_pool',
  'check_placement',
  'unknown_policy',
  'quiet_from',
  'quiet_to',
  'local_time',
  'local_past',
  'learned_time',
  'send_order',
  'order_column',
  'order_descending',
  'window_mails',
  'window_minutes',
  'missed_policy',
  'missed_minutes',
] as const

/** Copies a campaign with all its references, even to deleted records: the check reports those. */
export async function copyCampaign(db: Db, actor: Actor, campaign: Campaign): Promise<Campaign> {
  const { client_id: clientId, campagne_id: original } = campaign
  const made = await campaignOperations.create(db, actor, clientId, {
    name: `${campaign.name.slice(0, 240)} (copy)`,
  })
  const columns = sql.join(copied.map(column => sql.ref(column)))
  await sql`
    update campaign set (${columns}) = (
      select ${columns} from campaign where client_id = ${clientId} and campagne_id = ${original})
    where client_id = ${clientId} and campagne_id = ${made.campagne_id}`.execute(db)
  await logChange(db, actor, {
    clientId: clientId,
    object: 'campaign',
    id: made.campagne_id,
    action: 'copy',
    changes: { copied_from: [null, original] },
  })
  return campaignOperations.find(db, actor, { clientIds: [clientId] }, made.campagne_id)
}

function nameOf(valid: number): string {
  return Object.entries(campaignState).find(([, state]) => state === valid)?.[0] ?? 'unknown'
}
