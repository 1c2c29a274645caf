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
  /** Rows at work at the same time. */
  parallel?: number
  onProgress?: (progress: BulkProgress<Row>) => void
}

/**
 * Does something with every row, a few at a time. A failure does not stop the others; it is kept with its row.
 * After an abort no further row is begun, and those at work are told by the signal.
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
