import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckContext } from '@emma/core/campaigns/check-campaign.ts'
import { makeDueRuns, type RunContext } from '@emma/core/recurring/make-due-runs.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Logger } from '../logger.ts'

/** Milliseconds between looks for due runs of recurring campaigns. */
const PAUSE_MS = 2_000

interface RunLoop {
  db: Db
  logger: Logger
  context: CheckContext
  /** The clock of the schedules. */
  now?: () => Date
}

/** Starts the runs of recurring campaigns when they are due. Several machines may do so: each run is made once. */
export function startRecurringRuns({ db, logger, context, now = () => new Date() }: RunLoop): {
  stop(): Promise<void>
} {
  const stopped = new AbortController()
  const ofRuns: RunContext = {
    ...context,
    onError: (key, error) =>
      logger.error({ ...key, err: error }, 'A run of a recurring campaign could not be made'),
  }
  const running = run()

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await makeDueRuns(db, now(), ofRuns).catch((error: unknown) =>
        logger.error({ err: error }, 'Due runs of recurring campaigns could not be read'),
      )
      await sleep(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}
