import { setTimeout as sleep } from 'node:timers/promises'
import { closeMonths } from '@emma/core/billing/close-months.ts'
import { countSent } from '@emma/core/billing/count-sent.ts'
import { warnOfLimits } from '@emma/core/billing/warn-of-limit.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Logger } from '../logger.ts'

/** Milliseconds between counts of the send volume. */
const PAUSE_MS = 60_000

/** A count reads running campaigns completely: it takes at most a twentieth of the time. */
const REST_FACTOR = 20

/**
 * Counts the sent mails of the months, warns of their limits, and closes months that are over. Several machines may do
 * so.
 */
export function startSendVolume(db: Db, logger: Logger): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const running = run()

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const started = Date.now()
      await updateSendVolume(db, () => stopped.signal.aborted).catch((error: unknown) =>
        logger.error({ err: error }, 'The send volume could not be counted'),
      )
      const pause = Math.max(PAUSE_MS, REST_FACTOR * (Date.now() - started))
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}

async function updateSendVolume(db: Db, isStopping: () => boolean): Promise<void> {
  await countSent(db, isStopping)
  if (isStopping()) return
  await warnOfLimits(db)
  await closeMonths(db, new Date())
}
