import { fault } from '@emma/contract/faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { hasRest, split as splitField } from '@emma/contract/split.ts'
import { readColumns } from '@emma/core/audience/datasources/datasource.ts'
import { lacksContent } from '@emma/core/content/content-test.ts'
import { runCondition } from '@emma/core/recurring/run-audience.ts'
import { findSendingFaults } from '@emma/core/campaigns/sending-faults.ts'
import { versionToSend } from '@emma/core/campaigns/approval/approval-fault.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { CampaignFault, type CampaignSnapshot, SendingForbidden } from '../model/campaign-snapshot.ts'
import { fillLedger } from './fill-ledger.ts'

/** A segment, and a SELECT of its members with `member_id` and `email`. */
export interface Segment {
  memberTableId: number
  members: RawBuilder<unknown>
}

export interface SegmentUse {
  clientId: number
  listId: number
  use: 'include' | 'exclude'
  /** The instant that "today" refers to in its rules; null: now. */
  at: Date | null
}

export interface ExpandSource {
  /** Returns the members of a segment. Passed in, because segments belong to the audience area. */
  segmentOf(db: Db, use: SegmentUse): Promise<Segment>
  takeSnapshot(db: Db, key: CampaignKey): Promise<CampaignSnapshot>
}

/** Result for the members of the segment, without test subscribers. */
export interface Expansion {
  /** Members to be sent to. */
  volume: number
  /** Members skipped with a reason. */
  skipped: number
}

/**
 * Expands a campaign in preparation into ledger rows, in one pass and one transaction: afterwards it is running, or
 * nothing changed. A concurrent stop is not blocked and rolls the pass back.
 * @returns null if there is nothing to do: another engine prepares the campaign, it was stopped, or one that needs an
 * approval was changed meanwhile, and is looked at again
 * @throws ApprovalMissing if it needs an approval and is not approved as it is; SendingForbidden if its client, domain, mail class or ESP login may not send now; CampaignFault and
 * ContentError if the campaign itself cannot be sent
 */
export async function expandCampaign(
  db: Db,
  key: CampaignKey,
  source: ExpandSource,
): Promise<Expansion | null> {
  try {
    return await transaction(db, tx => expand(tx, key, source))
  } catch (error) {
    if (error instanceof StoppedMeanwhile || error instanceof ChangedMeanwhile) return null
    throw error
  }
}

class StoppedMeanwhile extends Error {
  override name = 'StoppedMeanwhile'
}

class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile'
}

async function expand(tx: Db, key: CampaignKey, source: ExpandSource): Promise<Expansion | null> {
  if (!(await takeTurn(tx, key))) return null
  const campaign = await findPreparing(tx, key)
  if (!campaign) return null
  const [faults = []] = await findSendingFaults(tx, [campaign])
  if (faults[0]) throw new SendingForbidden(faults[0].fault)
  if (campaign.expanded_at !== null) {
    await moveToRunning(tx, key, null)
    return null
  }
  const version = await versionToSend(tx, key)
  if (campaign.list_id === null) throw new CampaignFault(fault('campaign.no_segment'))
  // A campaign in local time starts a day early; its rules refer to its own day.
  const at = campaign.local_time ? latest(campaign.startdate, new Date()) : null
  const segmentOf = (listId: number, use: SegmentUse['use']) =>
    source.segmentOf(tx, { clientId: key.clientId, listId, use, at })
  const included = await segmentOf(campaign.list_id, 'include')
  const { memberTableId } = included
  // The datasource follows the segment, which may have another one since the campaign was saved.
  if (campaign.member_table_id !== memberTableId) await setDatasource(tx, key, memberTableId)
  const excluded: RawBuilder<unknown>[] = []
  for (const list of campaign.exclude_list_ids) excluded.push((await segmentOf(list, 'exclude')).members)
  const snapshot = await source.takeSnapshot(tx, key)
  const split = splitField.nullable().parse(campaign.split)
  const expansion = await fillLedger(tx, {
    ...key,
    memberTableId,
    included: included.members,
    excluded,
    blacklistIds: campaign.blacklist_ids,
    cappingId: campaign.capping_id,
    sendOnceKey: campaign.send_once_key,
    messageId: campaign.message_id,
    lacksContent: await contentCondition(tx, snapshot, memberTableId),
    condition: await runCondition(tx, key, memberTableId),
    split,
  })
  await moveToRunning(tx, key, { expansion, snapshot, waits: split !== null && hasRest(split) })
  // The transition has checked the approval: of what was read here, if that was the same before and after.
  if (version !== (await versionToSend(tx, key))) throw new ChangedMeanwhile()
  return expansion
}

/** SQL condition on members who are shown no counted section; null if nobody is skipped for it now. */
async function contentCondition(
  tx: Db,
  { client, contentTests }: CampaignSnapshot,
  memberTableId: number,
): Promise<RawBuilder<boolean> | null> {
  if (!contentTests) return null
  const columns = await readColumns(tx, [memberTableId])
  return lacksContent(contentTests, client.client_id, columns.get(memberTableId) ?? [])
}

/**
 * One engine expands a campaign, and one campaign per client at a time: frequency caps and send-once keys count what
 * earlier campaigns are about to send.
 */
async function takeTurn(tx: Db, { clientId }: CampaignKey): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`expand for client ${clientId}`}, 0)) as taken`.execute(
    tx,
  )
  return rows[0]?.taken === true
}

function findPreparing(tx: Db, { clientId, campaignId }: CampaignKey) {
  return tx
    .selectFrom('campaign')
    .select(['list_id', 'exclude_list_ids', 'blacklist_ids', 'capping_id', 'member_table_id'])
    .select(['message_id', 'send_once_key', 'local_time', 'startdate', 'split'])
    .select(['expanded_at', 'client_id as clientId', 'domain_id as domainId', 'mailclass_id as mailclassId'])
    .select(['esp_id as espId', 'fromadr', 'reply_to as replyTo'])
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .where('valid', '=', campaignState.preparing)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

async function setDatasource(
  tx: Db,
  { clientId, campaignId }: CampaignKey,
  memberTableId: number,
): Promise<void> {
  await tx
    .updateTable('campaign')
    .set({ member_table_id: memberTableId })
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .execute()
}

function latest(startdate: Date | string | null, now: Date): Date {
  const start = startdate === null ? now : new Date(startdate)
  return start > now ? start : now
}

async function moveToRunning(
  tx: Db,
  key: CampaignKey,
  created: { expansion: Expansion; snapshot: CampaignSnapshot; waits: boolean } | null,
): Promise<void> {
  const isMoved = await transition(tx, key, {
    from: [campaignState.preparing],
    to: campaignState.running,
    set: created
      ? {
          estimated_volume: sql`${created.expansion.volume}`,
          combined_volume: sql`${created.expansion.volume}`,
          progress_cur: sql`0`,
          snapshot: sql`${JSON.stringify(created.snapshot)}::jsonb`,
          split_waits: sql`${created.waits}::boolean`,
          expanded_at: sql`now()`,
          started_at: sql`coalesce(started_at, now())`,
        }
      : {},
  })
  if (!isMoved) throw new StoppedMeanwhile()
}
