import type { DatabaseSync } from 'node:sqlite'

/** Runs tasks in shared transactions. */
export interface GroupCommit {
  /**
   * Queues a task and resolves with its result once its transaction is committed. If a transaction fails, each of its
   * tasks is retried alone, so that one task cannot fail the others; rejects with the task's error.
   */
  run: <T>(work: () => T) => Promise<T>
  /** Commits what is queued now. */
  flush: () => void
}

interface Piece {
  work: () => void
  resolve: () => void
  reject: (error: Error) => void
}

/**
 * Commits all tasks of one event loop turn at once: with many connections, messages share a commit; with one, nobody
 * waits for a timer. `beforeCommit` runs inside each transaction, after its tasks; `afterRollback` if it failed.
 */
export function createGroupCommit(
  db: DatabaseSync,
  hooks: { beforeCommit: () => void; afterRollback: () => void },
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  let queue: Piece[] = []

  return {
    run<T>(work: () => T): Promise<T> {
      return new Promise((resolve, reject) => {
        let result: { value: T } | null = null
        if (queue.length === 0) setImmediate(flush)
        queue.push({
          work: () => {
            result = { value: work() }
          },
          resolve: () => {
            if (result) resolve(result.value)
          },
          reject,
        })
      })
    },
    flush,
  }

  function flush(): void {
    const pieces = queue
    if (pieces.length === 0) return
    queue = []
    const error = transact(pieces)
    if (error === null) return settle(pieces)
    if (pieces.length === 1) return pieces[0]?.reject(error)
    for (const piece of pieces) {
      const own = transact([piece])
      if (own === null) piece.resolve()
      else piece.reject(own)
    }
  }

  function transact(pieces: readonly Piece[]): Error | null {
    try {
      begin.run()
      for (const piece of pieces) piece.work()
      hooks.beforeCommit()
      commit.run()
      return null
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK')
      hooks.afterRollback()
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}

function settle(pieces: readonly Piece[]): void {
  for (const piece of pieces) piece.resolve()
}
