import { describe, expect, it } from 'vitest'
import { runBulk } from './run-bulk.ts'

describe('runBulk', () => {
  it('runs for every row and returns failures with their rows', async () => {
    const seen: number[] = []
    const result = await runBulk(
      [1, 2, 3, 4, 5, 6],
      async row => {
        seen.push(row)
        if (row % 2 === 0) throw new Error(`no ${row}`)
      },
      { signal: new AbortController().signal, parallel: 2 },
    )
    expect(new Set(seen)).toEqual(new Set([1, 2, 3, 4, 5, 6]))
    expect(result.done).toBe(6)
    expect(new Set(result.failures.map(failure => failure.row))).toEqual(new Set([2, 4, 6]))
  })

  it('never exceeds the concurrency', async () => {
    let atWork = 0
    let most = 0
    await runBulk(
      Array.from({ length: 20 }, (_, row) => row),
      async () => {
        atWork += 1
        most = Math.max(most, atWork)
        await Promise.resolve()
        atWork -= 1
      },
      { signal: new AbortController().signal, parallel: 3 },
    )
    expect(most).toBe(3)
  })

  it('starts no further row after an abort', async () => {
    const controller = new AbortController()
    const begun: number[] = []
    const result = await runBulk(
      [1, 2, 3, 4],
      async row => {
        begun.push(row)
        if (row === 2) controller.abort()
      },
      { signal: controller.signal, parallel: 1 },
    )
    expect(begun).toEqual([1, 2])
    expect(result).toMatchObject({ done: 2, total: 4, failures: [] })
  })

  it('reports progress after each row', async () => {
    const steps: number[] = []
    await runBulk(['a', 'b'], async () => {}, {
      signal: new AbortController().signal,
      parallel: 1,
      onProgress: progress => steps.push(progress.done),
    })
    expect(steps).toEqual([1, 2])
  })
})
