import type { Db } from '@emma/db/connection.ts'
import { ApprovalMissing } from '@emma/core/campaigns/approval/approval-fault.ts'
import { type FetchFeed, refreshFeeds } from '@emma/core/content/feeds.ts'
import { expandCampaign, type ExpandSource } from '../1-expand/expand-campaign.ts'
import { lookUpReceivers, type ResolveMx } from '../1-expand/look-up-receivers.ts'
import { failCampaign } from '../5-record/close-campaigns.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import { SendingForbidden } from '../model/campaign-snapshot.ts'
import type { Kind } from '../model/kind.ts'
import type { EngineLogger } from './engine-logger.ts'
import { faultOf, holdCampaign, isFault } from './hold-campaign.ts'
import { listPreparing } from './running-campaigns.ts'

export interface PrepareContext {
  db: Db
  logger: EngineLogger
  source: ExpandSource
  /** Looks up mail exchangers; without it, receivers are identified by domain only. */
  resolveMx?: ResolveMx | undefined
  /** Fetches the feeds of a campaign; without it, their last copies are sent. */
  fetchFeed?: FetchFeed | undefined
}

/**
 * Expands the campaigns of one kind in preparation, until the engine stops.
 * @returns the number of campaigns expanded
 */
export async function prepareCampaigns(
  context: PrepareContext,
  kind: Kind,
  isStopping: () => boolean,
): Promise<number> {
  let expanded = 0
  for (const key of await listPreparing(context.db, kind)) {
    if (isStopping()) break
    if (await expandOrFail(context, key)) expanded++
  }
  return expanded
}

async function expandOrFail(
  { db, logger, source, resolveMx, fetchFeed }: PrepareContext,
  key: CampaignKey,
): Promise<boolean> {
  try {
    if (resolveMx) await lookUpReceivers(db, key, resolveMx)
    if (fetchFeed) await refreshFeeds(db, key.clientId, key.campaignId, fetchFeed)
    const expansion = await expandCampaign(db, key, source)
    if (expansion) logger.info({ ...key, ...expansion }, 'Campaign expanded')
    return expansion !== null
  } catch (error) {
    await failOrRetry({ db, logger }, key, error)
    return false
  }
}

async function failOrRetry(
  { db, logger }: Pick<PrepareContext, 'db' | 'logger'>,
  key: CampaignKey,
  error: unknown,
): Promise<void> {
  if (error instanceof SendingForbidden) return holdCampaign(db, logger, key, error.fault)
  if (error instanceof ApprovalMissing) return holdCampaign(db, logger, key, error.reason)
  // The others continue; this one is retried.
  if (!isFault(error)) return logger.error({ ...key, err: error }, 'A campaign could not be expanded')
  logger.warn({ ...key, reason: error.message }, 'Campaign cannot be sent')
  await failCampaign(db, key, 'failed', faultOf(error))
}
