import { EmmaError } from '@emma/contract/errors.ts'
import { createPool, createSql, type Sql } from '@emma/db/connection.ts'
import type { SLOW_READ_LIMITS } from '../network/limits.ts'
import type { Limits } from '../network/limits.ts'
import { PlaceLimit } from '../network/place-limit.ts'

/** Reads that may take seconds, apart from all others: one client that asks for many keeps nobody else waiting. */
export interface SlowReads {
  /**
   * Runs a read when its client and all together have a place for it.
   *
   * @param client whose places it takes
   * @throws EmmaError `busy` where too many wait already, or it waited too long
   */
  run<T>(client: string, read: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface Waiting {
  client: string
  begin(release: () => void): void
}

/** Connections of their own, whose statements end after the limits' time. */
export function createSlowReads(databaseUrl: string, limits: Limits<typeof SLOW_READ_LIMITS>): SlowReads {
  const pool = createPool(databaseUrl, {
    max: limits.total,
    statementTimeout: limits.statementTimeoutMs,
    applicationName: 'emma api, slow reads',
  })
  const sql = createSql(pool)
  const places = new PlaceLimit({ total: limits.total, perKey: limits.perClient })
  const queue: Waiting[] = []

  return {
    async run(client, read) {
      const release = places.take(client) ?? (await waitFor(client))
      try {
        return await read(sql)
      } finally {
        release()
        next()
      }
    },
    close: () => pool.end(),
  }

  function waitFor(client: string): Promise<() => void> {
    const others = queue.filter(waiting => waiting.client === client).length
    if (others >= limits.waitingPerClient) throw new EmmaError('busy')
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        client,
        begin(release) {
          clearTimeout(timer)
          resolve(release)
        },
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new EmmaError('busy'))
      }, limits.waitMs)
      queue.push(waiting)
    })
  }

  /** The first whose client has a place: those behind a busy client do not wait for it. */
  function next(): void {
    for (const waiting of queue) {
      const release = places.take(waiting.client)
      if (!release) continue
      queue.splice(queue.indexOf(waiting), 1)
      return waiting.begin(release)
    }
  }
}
