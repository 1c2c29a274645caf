import type { Fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { delayProcessMails, expandProcessMails, listProcessMails } from '../1-expand/expand-process-mails.ts'
import {
  delayTransactionalMails,
  expandTransactionalMails,
  listTransactionalMails,
} from '../1-expand/expand-transactional.ts'
import type { TrackingBaseOf } from '../model/campaign-snapshot.ts'
import type { EngineLogger } from './engine-logger.ts'
import { faultOf, isFault } from './hold-campaign.ts'

interface QueueContext {
  db: Db
  logger: EngineLogger
  trackingBaseOf: TrackingBaseOf
}

/** Mails that wait to be moved into the ledger, by group: those with the same content. */
interface MailQueue<Group extends object> {
  list(db: Db): Promise<Group[]>
  expand(db: Db, group: Group, trackingBaseOf: TrackingBaseOf): Promise<number>
  delay(db: Db, group: Group, reason: Fault | null): Promise<void>
}

const processMails: MailQueue<Awaited<ReturnType<typeof listProcessMails>>[number]> = {
  list: listProcessMails,
  expand: expandProcessMails,
  delay: delayProcessMails,
}

const transactionalMails: MailQueue<Awaited<ReturnType<typeof listTransactionalMails>>[number]> = {
  list: listTransactionalMails,
  expand: expandTransactionalMails,
  delay: delayTransactionalMails,
}

export const queueProcessMails = (context: QueueContext, isStopping: () => boolean): Promise<number> =>
  queueMails(context, processMails, isStopping)

export const queueTransactionalMails = (context: QueueContext, isStopping: () => boolean): Promise<number> =>
  queueMails(context, transactionalMails, isStopping)

/**
 * Moves queued mails into the ledger. Groups that cannot be sent wait, and delay no others.
 * @returns the number of mails moved
 */
async function queueMails<Group extends object>(
  { db, logger, trackingBaseOf }: QueueContext,
  queue: MailQueue<Group>,
  isStopping: () => boolean,
): Promise<number> {
  let moved = 0
  for (const group of await queue.list(db)) {
    if (isStopping()) break
    try {
      moved += await queue.expand(db, group, trackingBaseOf)
    } catch (error) {
      const reason = isFault(error) ? faultOf(error) : null
      if (reason === null) logger.error({ ...group, err: error }, 'Mails could not be queued; retrying')
      await queue.delay(db, group, reason)
    }
  }
  return moved
}
