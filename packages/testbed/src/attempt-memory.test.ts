import { expect, it } from 'vitest'
import { createAttemptMemory } from './attempt-memory.ts'
import { createTokenBucket } from './token-bucket.ts'

it('counts attempts from the first one', () => {
  const memory = createAttemptMemory(10)
  expect(memory.note('a', 1000)).toEqual({ firstAt: 1000, count: 1 })
  expect(memory.note('a', 5000)).toEqual({ firstAt: 1000, count: 2 })
})

it('forgets the oldest beyond its limit', () => {
  const memory = createAttemptMemory(2)
  memory.note('a', 1)
  memory.note('b', 2)
  memory.note('c', 3)
  expect(memory.note('b', 4).count).toBe(2)
  expect(memory.note('a', 5).count).toBe(1)
})

it('grants tokens at its rate only', () => {
  const bucket = createTokenBucket(10)
  const taken = (from: number, to: number) => {
    let count = 0
    for (let now = from; now < to; now += 10) if (bucket.take(now)) count++
    return count
  }
  expect(taken(0, 1000)).toBeLessThanOrEqual(20)
  expect(taken(1000, 6000)).toBe(50)
})

it('survives a clock that is set back', () => {
  const bucket = createTokenBucket(1)
  expect(bucket.take(10_000)).toBe(true)
  expect(bucket.take(0)).toBe(false)
  expect(bucket.take(1000)).toBe(true)
})
