import { EmmaError } from '@emma/contract/errors.ts'
import { fault, type Fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { DkimKeyError } from '@emma/mail/dkim/dkim-key.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { failCampaign } from '../5-record/close-campaigns.ts'
import { type CampaignKey, keyFields } from '../model/campaign-key.ts'
import { CampaignFault } from '../model/campaign-snapshot.ts'
import type { EngineLogger } from './engine-logger.ts'

/** Holds a campaign until somebody fixes the cause. */
export async function holdCampaign(
  db: Db,
  logger: EngineLogger,
  key: CampaignKey,
  reason: Fault,
): Promise<void> {
  logger.warn({ ...keyFields(key), reason: reason.message }, 'Campaign is held')
  await failCampaign(db, key, 'held', reason)
}

type CampaignError = CampaignFault | ContentError | HeaderError | DkimKeyError | EmmaError

/** True for faults of the campaign itself, with a text for its owner. */
export function isFault(error: unknown): error is CampaignError {
  return [CampaignFault, ContentError, HeaderError, DkimKeyError, EmmaError].some(
    kind => error instanceof kind,
  )
}

/** Returns the fault that a campaign is held or failed for. */
export function faultOf(error: CampaignError): Fault {
  if (error instanceof ContentError) return contentFault(error)
  if (!(error instanceof EmmaError)) return error.fault
  // Of all `invalid` errors, only those of segment rules occur while a campaign is prepared.
  if (error.fault === null || error.code === 'invalid')
    return fault('campaign.segment_faulty', { faults: error.message })
  return error.fault
}

function contentFault({ errors }: ContentError): Fault {
  const faults = errors.map(({ part, line, column, fault: inner }) =>
    fault('campaign.content', { part, line, column, fault: inner }),
  )
  const [first] = faults
  return first && faults.length === 1 ? first : fault('campaign.contents', { faults })
}
