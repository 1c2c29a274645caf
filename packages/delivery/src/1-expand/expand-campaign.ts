import { campaignFaults } from '@emma/contract/campaign-faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'
import { CampaignFault, type CampaignSnapshot } from '../campaign-snapshot.ts'
import { fillLedger } from './fill-ledger.ts'

/** A SELECT with the `member_id` of the members of a segment. */
export type Segment = RawBuilder<unknown>

export interface ExpandSource {
  /** The members of a segment: the audience's business, so the composition root brings it along. */
  segmentOf(sql: Sql, clientId: number, listId: number, use: 'include' | 'exclude'): Promise<Segment>
  takeSnapshot(sql: Sql, key: CampaignKey): Promise<CampaignSnapshot>
}

/** What became of the members of the segment; test addresses are not counted. */
export interface Expansion {
  /** To be sent. */
  volume: number
  /** Skipped, each with its reason. */
  skipped: number
}

/**
 * Turns a campaign in preparation into rows of the ledger, in one pass and one transaction: afterwards it runs, or
 * nothing has happened. A stop meanwhile is not held up; it undoes the pass.
 *
 * @returns null when there is nothing to do: another engine prepares it, or it was stopped
 * @throws CampaignFault, ContentError when the campaign cannot be sent
 */
export async function expandCampaign(
  sql: Sql,
  key: CampaignKey,
  source: ExpandSource,
): Promise<Expansion | null> {
  try {
    return await transaction(sql, tx => expand(tx, key, source))
  } catch (error) {
    if (error instanceof StoppedMeanwhile) return null
    throw error
  }
}

class StoppedMeanwhile extends Error {
  override name = 'StoppedMeanwhile'
}

async function expand(tx: Sql, key: CampaignKey, source: ExpandSource): Promise<Expansion | null> {
  if (!(await takeTurn(tx, key))) return null
  const campaign = await findPreparing(tx, key)
  if (!campaign) return null
  if (campaign.expanded_at !== null) {
    await moveToRunning(tx, key, campaign.name, null)
    return null
  }
  const snapshot = await source.takeSnapshot(tx, key)
  if (campaign.list_id === null) throw new CampaignFault(campaignFaults.no_segment)
  if (campaign.member_table_id === null) throw new CampaignFault(campaignFaults.no_datasource)
  const included = await source.segmentOf(tx, key.clientId, campaign.list_id, 'include')
  const excluded: Segment[] = []
  for (const list of campaign.exclude_list_ids)
    excluded.push(await source.segmentOf(tx, key.clientId, list, 'exclude'))
  const expansion = await fillLedger(tx, {
    ...key,
    memberTableId: campaign.member_table_id,
    included,
    excluded,
    blacklistIds: campaign.blacklist_ids,
    cappingId: campaign.capping_id,
  })
  await moveToRunning(tx, key, campaign.name, { expansion, snapshot })
  return expansion
}

/** "EXPA" in the high half, so that the number collides with no other lock of the house. */
const EXPAND_LOCK = 0x45585041

/**
 * One engine expands a campaign, and one campaign of a client at a time: frequency capping counts what the campaigns
 * before it are about to send.
 */
async function takeTurn(tx: Sql, { clientId }: CampaignKey): Promise<boolean> {
  const { rows } = await raw<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${EXPAND_LOCK}::int, ${clientId}::int) as taken`.execute(tx)
  return rows[0]?.taken === true
}

function findPreparing(tx: Sql, { clientId, campaignId }: CampaignKey) {
  return tx
    .selectFrom('campaign')
    .select(['name', 'list_id', 'exclude_list_ids', 'blacklist_ids', 'capping_id', 'member_table_id'])
    .select('expanded_at')
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .where('valid', '=', campaignState.preparing)
    .executeTakeFirst()
}

async function moveToRunning(
  tx: Sql,
  { clientId, campaignId }: CampaignKey,
  name: string,
  made: { expansion: Expansion; snapshot: CampaignSnapshot } | null,
): Promise<void> {
  const moved = await tx
    .updateTable('campaign')
    .set({ valid: campaignState.running, error: null, updated_at: raw`now()`, revision: raw`revision + 1` })
    .$if(made !== null, update =>
      update.set({
        estimated_volume: made?.expansion.volume ?? 0,
        combined_volume: made?.expansion.volume ?? 0,
        progress_cur: 0,
        snapshot: JSON.stringify(made?.snapshot),
        expanded_at: raw`now()`,
        started_at: raw`coalesce(started_at, now())`,
      }),
    )
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .where('valid', '=', campaignState.preparing)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) throw new StoppedMeanwhile()
  const data = { campagne_id: campaignId, name, valid: campaignState.running }
  await publish(tx, { client_id: clientId, type: 'CAMPAIGN_STATUS', data })
}
