import { expect, test } from 'vitest'
import { mostAttempts, webhookDelay } from './webhook-retry.ts'

const failures = Array.from({ length: mostAttempts - 1 }, (_, index) => index + 1)

test('eight attempts with growing delays over about a day', () => {
  const delays = failures.map(count => webhookDelay(count, 0.5) ?? 0)
  expect(delays).toEqual([10, 43, 185, 795, 3419, 14_701, 63_214])
  const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3600
  expect(hours).toBeGreaterThan(20)
  expect(hours).toBeLessThan(26)
  expect(webhookDelay(mostAttempts)).toBeNull()
})

test('jitter changes the delay by a fifth at most', () => {
  for (const count of failures) {
    const middle = webhookDelay(count, 0.5) ?? 0
    expect(webhookDelay(count, 0)).toBeCloseTo(middle * 0.8, -1)
    expect(webhookDelay(count, 1)).toBeCloseTo(middle * 1.2, -1)
  }
  expect(new Set(Array.from({ length: 20 }, () => webhookDelay(5))).size).toBeGreaterThan(1)
})

test('a longer Retry-After is respected, up to a day', () => {
  expect(webhookDelay(1, 0.5, 120)).toBe(120)
  expect(webhookDelay(1, 0.5, 3)).toBe(10)
  expect(webhookDelay(1, 0.5, 10 ** 9)).toBe(86_400)
})
