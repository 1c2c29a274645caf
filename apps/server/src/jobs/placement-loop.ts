import { setTimeout as sleep } from 'node:timers/promises'
import { claimMailboxes, endChecks } from '@emma/core/deliverability/placement/awaited-mails.ts'
import { notifyEnded } from '@emma/core/deliverability/placement/notify-ended.ts'
import { claimCheck, claimRetry } from '@emma/core/deliverability/placement/send-checks.ts'
import type { Db } from '@emma/db/connection.ts'
import { sendPlacementCheck } from '@emma/delivery/send-placement.ts'
import type { SingleSender } from '@emma/delivery/send-test.ts'
import type { Logger } from '../logger.ts'
import type { MailboxContext } from '../mailboxes/open-mailbox.ts'
import { readMailbox } from '../mailboxes/read-mailbox.ts'
import { MAILBOX_LIMITS } from '../network/limits.ts'

/** Milliseconds between looks for checks to send and mailboxes to read. */
const PAUSE_MS = 2_000

interface Placement {
  db: Db
  logger: Logger
  sender: SingleSender
  mailboxes: MailboxContext
}

/** Sends placement checks, reads test mailboxes, and ends checks. Several machines may do so. */
export function startPlacementChecks({ db, logger, sender, mailboxes }: Placement): {
  stop(): Promise<void>
} {
  const stopped = new AbortController()
  const repeat = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    while (!stopped.signal.aborted) {
      await run().catch((error: unknown) => logger.error({ err: error }, what))
      await sleep(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const reading = new Set<Promise<void>>()

  /** Does not wait for the mailboxes: one of them may take a minute. */
  async function startReading(): Promise<void> {
    for (const mailbox of await claimMailboxes(db, MAILBOX_LIMITS.mailboxes - reading.size)) {
      const { clientId, loginId } = mailbox
      const read = readMailbox(db, { ...mailboxes, signal: stopped.signal }, mailbox)
        .catch((error: unknown) =>
          logger.error({ clientId, loginId, err: error }, 'A test mailbox could not be read'),
        )
        .finally(() => reading.delete(read))
      reading.add(read)
    }
  }

  const loops = [
    repeat('A placement check could not be sent', () => sendChecks(db, sender)),
    repeat('Test mailboxes could not be read', startReading),
    repeat('Placement checks could not be ended', () => endChecks(db, notifyEnded)),
  ]
  return {
    async stop() {
      stopped.abort()
      await Promise.all(loops)
      await Promise.all(reading)
    },
  }
}

async function sendChecks(db: Db, sender: SingleSender): Promise<void> {
  for (let check = await claimCheck(db); check; check = await claimCheck(db))
    await sendPlacementCheck(sender, check)
  for (let check = await claimRetry(db); check; check = await claimRetry(db))
    await sendPlacementCheck(sender, check)
}
