import { createPool, createDb, type Db } from '@emma/db/connection.ts'
import type { SLOW_READ_LIMITS } from '../network/limits.ts'
import type { Limits } from '../network/limits.ts'
import { PlaceQueue } from '../network/concurrency-queue.ts'

/** Reads that may take seconds, apart from all others: one client that asks for many keeps nobody else waiting. */
export interface SlowReads {
  /**
   * Runs a read when its client and all together have a place for it.
   *
   * @param client whose places it takes
   * @throws EmmaError `busy` where too many wait already, or it waited too long
   */
  run<T>(client: string, read: (db: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Connections of their own, whose statements end after the limits' time. */
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
