import { deleteExpiredAccess } from '@emma/core/account/delete-expired.ts'
import { forgetOldAttempts } from '@emma/core/account/login-attempts.ts'
import { deleteOldRemovals } from '@emma/core/audience/blacklists/internal-blacklist.ts'
import { deleteEndedPauses } from '@emma/core/audience/contact-pause.ts'
import { deleteOldHours } from '@emma/core/audience/hours/delete-old-hours.ts'
import { dropOldProcessMails, remindUnconfirmed } from '@emma/core/audience/remind-unconfirmed.ts'
import { recountSoftBounces } from '@emma/core/audience/soft-bounces.ts'
import { deleteOldSubmissionData } from '@emma/core/audience/web-forms/delete-old.ts'
import { deleteOldEspEvents } from '@emma/core/esps/record-esp-events.ts'
import { addEventPartitions } from '@emma/core/events/add-partitions.ts'
import { deleteOldNotifications } from '@emma/core/notifications/delete-old.ts'
import { deleteOldAlertMessages } from '@emma/core/deliverability/alerts/alert-outbox.ts'
import { forgetReceivedMails } from '@emma/core/deliverability/placement/read-placements.ts'
import { applyRetention } from '@emma/core/platform/audit-log.ts'
import { deleteOldHeartbeats } from '@emma/core/platform/heartbeats.ts'
import { forgetMailData } from '@emma/core/transactional/mail-log.ts'
import { forgetOldCalls } from '@emma/core/webhooks/deliver-queue.ts'
import type { JobTask } from '../job-task.ts'

/** Creates partitions of the event log for the coming months, and deletes expired data. */
export const runMaintenance: JobTask = async (_payload, { db }) => {
  await addEventPartitions(db)
  await deleteExpiredAccess(db)
  await deleteOldNotifications(db)
  await deleteOldAlertMessages(db)
  await deleteOldEspEvents(db)
  await deleteOldHeartbeats(db)
  await forgetOldAttempts(db)
  await forgetOldCalls(db)
  await deleteOldSubmissionData(db)
  await applyRetention(db)
  await recountSoftBounces(db)
  await remindUnconfirmed(db)
  await dropOldProcessMails(db)
  await deleteEndedPauses(db)
  await deleteOldHours(db)
  await deleteOldRemovals(db)
  await forgetMailData(db)
  await forgetReceivedMails(db)
}
