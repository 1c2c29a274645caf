import { fault } from '@emma/contract/faults.ts'
import {
  type Mailbox,
  recordArrival,
  recordMissing,
  recordPoll,
  replaceRefreshToken,
} from '@emma/core/deliverability/placement/awaited-mails.ts'
import { sealSecret } from '@emma/core/deliverability/secret-box.ts'
import type { Db } from '@emma/db/connection.ts'
import { MAILBOX_LIMITS } from '../network/limits.ts'
import { MailboxFault } from './mailbox.ts'
import { type MailboxContext, openMailbox } from './open-mailbox.ts'

/** Searches a mailbox for its awaited mails, and stores where they are. A fault of the mailbox is stored with it. */
export async function readMailbox(db: Db, context: MailboxContext, mailbox: Mailbox): Promise<void> {
  try {
    const open = await openMailbox({ ...mailbox, password: { sealed: mailbox.password } }, context, token =>
      replaceRefreshToken(db, mailbox, sealSecret(context.key, token)),
    )
    try {
      const readAt = new Date()
      const searched = mailbox.awaited.slice(0, MAILBOX_LIMITS.searchedMails)
      if (searched.length === 0) await open.listFolders()
      const found = await open.find(searched.map(({ token }) => token))
      for (const { token, ipciId } of searched) {
        const arrival = found.get(token)
        if (arrival) await recordArrival(db, mailbox, ipciId, arrival)
      }
      await recordMissing(db, mailbox, searched, readAt)
    } finally {
      await open.close()
    }
    await recordPoll(db, mailbox, null)
  } catch (error) {
    if (!(error instanceof MailboxFault)) {
      await recordPoll(db, mailbox, fault('campaign.unexpected'))
      throw error
    }
    await recordPoll(db, mailbox, error.fault)
  }
}
