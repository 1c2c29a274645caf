import { setTimeout as sleep } from 'node:timers/promises'
import { type RecountTimes, recountChanged } from '@emma/core/audience/datasources/datasource-stats.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Logger } from '../logger.ts'

/** Milliseconds between checks for datasources whose members changed. */
const PAUSE_MS = 500

/** Keeps the counters of datasources within two seconds of their members; very large datasources take longer. */
export function startRecounts(db: Db, logger: Logger): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const times: RecountTimes = new Map()
  const counting = count()

  async function count(): Promise<void> {
    while (!stopped.signal.aborted) {
      await recountChanged(db, times).catch((error: unknown) =>
        logger.error({ err: error }, 'The members of datasources could not be counted'),
      )
      await sleep(PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    async stop() {
      stopped.abort()
      await counting
    },
  }
}
