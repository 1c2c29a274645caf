import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '@emma/db/connection.ts'
import { recordOutcomes, type Settled } from './5-record/record-outcomes.ts'

/** Gathers outcomes and records them in sets. */
export interface Recorder {
  /** `onRecorded` is called once it is in the ledger. */
  add(settled: Settled, onRecorded: () => void): void
}

/** Rows of one statement at most. */
const BATCH = 1_000

/**
 * One statement at a time: while it runs the next set gathers by itself, larger the busier it is. What cannot be
 * recorded (the database is away) is kept and tried again, since nobody else knows it.
 */
export function createRecorder(
  sql: Sql,
  logger: { error(fields: object, text: string): void },
  onFlushed: () => void,
): Recorder {
  let waiting: { settled: Settled; onRecorded: () => void }[] = []
  let isWorking = false

  return {
    add(settled, onRecorded) {
      waiting.push({ settled, onRecorded })
      if (!isWorking) void work()
    },
  }

  async function work(): Promise<void> {
    isWorking = true
    // Outcomes that arrive in the same turn share the statement.
    await new Promise(resolve => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      await record(batch.map(entry => entry.settled))
      for (const entry of batch) entry.onRecorded()
      onFlushed()
    }
    isWorking = false
  }

  async function record(batch: Settled[]): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await recordOutcomes(sql, batch)
        return
      } catch (error) {
        if (failures === 0) logger.error({ err: error }, 'Outcomes could not be recorded; trying on')
        await sleep(Math.min(5_000, 100 * 2 ** failures))
      }
    }
  }
}
