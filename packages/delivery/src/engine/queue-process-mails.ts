import type { Db } from '@emma/db/connection.ts'
import { delayProcessMails, expandProcessMails, listProcessMails } from '../1-expand/expand-process-mails.ts'
import type { TrackingBaseOf } from '../model/campaign-snapshot.ts'
import type { EngineLogger } from './engine-logger.ts'
import { faultOf, isFault } from './hold-campaign.ts'

interface ProcessMailContext {
  db: Db
  logger: EngineLogger
  trackingBaseOf: TrackingBaseOf
}

/** Moves queued process mails into the ledger. Groups that cannot be sent wait, and delay no others. */
export async function queueProcessMails(
  { db, logger, trackingBaseOf }: ProcessMailContext,
  isStopping: () => boolean,
): Promise<void> {
  for (const group of await listProcessMails(db)) {
    if (isStopping()) return
    try {
      await expandProcessMails(db, group, trackingBaseOf)
    } catch (error) {
      const reason = isFault(error) ? faultOf(error) : null
      if (reason === null)
        logger.error({ ...group, err: error }, 'Process mails could not be queued; retrying')
      await delayProcessMails(db, group, reason)
    }
  }
}
