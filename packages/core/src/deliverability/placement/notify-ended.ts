import { addNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import type { EndedCheck } from './awaited-mails.ts'

/** Tells the users of the client how a placement check ended: a warning if a mail is not in the inbox. */
export async function notifyEnded(
  tx: Db,
  { clientId, campaignId, name, counts, outside }: EndedCheck,
): Promise<void> {
  const { inbox, promotions, spam, other, missing } = counts
  const total = inbox + promotions + spam + other + missing
  const providers = outside.join(', ')
  const isGood = total > 0 && inbox === total
  const code = isGood ? 'placement_good' : total === 0 ? 'placement_unread' : 'placement_bad'
  const texts = {
    placement_good: `“${name}” arrived in the inbox of all ${total} test mailboxes.`,
    placement_unread: `No test mailbox of “${name}” could be read.`,
    placement_bad: `“${name}” arrived in the inbox of ${inbox} of ${total} test mailboxes. Not at: ${providers}`,
  }
  await addNotification(tx, {
    clientId,
    permission: 'IPCI:get',
    kind: isGood ? 'success' : 'warning',
    code,
    details: { name, inbox, total, providers },
    text: texts[code],
    path: campaignId === null ? null : `/campaigns/monitoring/${campaignId}`,
  })
}
