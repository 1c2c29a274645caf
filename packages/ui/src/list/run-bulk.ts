export interface BulkFailure<Row> {
  row: Row
  error: unknown
}

export interface BulkProgress<Row> {
  done: number
  total: number
  failures: readonly BulkFailure<Row>[]
}

export interface BulkOptions<Row> {
  signal: AbortSignal
  /** Maximum number of rows processed concurrently. */
  parallel?: number
  onProgress?: (progress: BulkProgress<Row>) => void
}

/**
 * Runs an action for every row with limited concurrency. Failures do not stop it and are returned with their rows.
 * After an abort no further row is started; running ones receive the signal.
 */
export async function runBulk<Row>(
  rows: readonly Row[],
  run: (row: Row, signal: AbortSignal) => Promise<unknown>,
  { signal, parallel = 4, onProgress }: BulkOptions<Row>,
): Promise<BulkProgress<Row>> {
  const failures: BulkFailure<Row>[] = []
  const waiting = [...rows]
  let done = 0

  async function work(): Promise<void> {
    for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
      try {
        await run(row, signal)
      } catch (error) {
        if (signal.aborted) return
        failures.push({ row, error })
      }
      done += 1
      onProgress?.({ done, total: rows.length, failures: [...failures] })
    }
  }

  await Promise.all(Array.from({ length: Math.min(parallel, rows.length) }, work))
  return { done, total: rows.length, failures }
}
