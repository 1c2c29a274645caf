import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'
import { CollectError, collectBytes } from './collect-bytes.ts'

async function* pieces(count: number, bytes: number, ended?: () => void): AsyncGenerator<Buffer> {
  try {
    for (let piece = 0; piece < count; piece++) yield Buffer.alloc(bytes, piece)
  } finally {
    ended?.()
  }
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof CollectError ? error.reason : error),
  )

test('collected bytes are complete, and reserved until released', async () => {
  const budget = new ByteBudget(100_000)
  const { bytes, release } = await collectBytes(pieces(50, 1_000), 60_000, budget)
  expect(bytes).toEqual(Buffer.concat(Array.from({ length: 50 }, (_, piece) => Buffer.alloc(1_000, piece))))
  expect(budget.used).toBeGreaterThanOrEqual(50_000)
  release()
  expect(budget.used).toBe(0)
})

test('collecting stops its source past the limit, and discards the bytes', async () => {
  const budget = new ByteBudget(100_000)
  let isEnded = false
  const collecting = collectBytes(
    pieces(Number.POSITIVE_INFINITY, 1, () => (isEnded = true)),
    10_000,
    budget,
  )
  expect(await reasonOf(collecting)).toBe('too large')
  expect({ isEnded, used: budget.used }).toEqual({ isEnded: true, used: 0 })
})

test('collectors share a budget', async () => {
  const budget = new ByteBudget(100_000)
  const first = await collectBytes(pieces(60, 1_000), 60_000, budget)
  expect(await reasonOf(collectBytes(pieces(60, 1_000), 60_000, budget))).toBe('busy')
  first.release()
  const second = await collectBytes(pieces(60, 1_000), 60_000, budget)
  expect(second.bytes.length).toBe(60_000)
})

test('a source that fails has its own error', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(10)
    throw new Error('reset')
  }
  expect(await reasonOf(collectBytes(broken(), 100))).toBe('broken')
})
