import { createPool, createDb, type Db } from '@emma/db/connection.ts'
import type { SLOW_READ_LIMITS } from '../network/limits.ts'
import type { Limits } from '../network/limits.ts'
import { PlaceQueue } from '../network/concurrency-queue.ts'

/** Runs reads that may take seconds separately: many reads of one client do not delay others. */
export interface SlowReads {
  /**
   * Runs a read when the limits of its client and of all together allow it.
   * @param client that it counts for
   * @throws EmmaError `busy` if too many wait already, or it waited too long
   */
  run<T>(client: string, read: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Uses a separate connection pool with a statement timeout. */
export function createSlowReads(databaseUrl: string, limits: Limits<typeof SLOW_READ_LIMITS>): SlowReads {
  const pool = createPool(databaseUrl, {
    max: limits.total,
    statementTimeout: limits.statementTimeoutMs,
    applicationName: 'emma api, slow reads',
  })
  const db = createDb(pool)
  const { total, perClient, waitingPerClient, waitMs } = limits
  const queue = new PlaceQueue({ total, perKey: perClient, waitingPerKey: waitingPerClient, waitMs })
  return {
    run: (client, read) => queue.run(client, () => read(db)),
    close: () => pool.end(),
  }
}
