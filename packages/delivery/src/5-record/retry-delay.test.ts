import { describe, expect, it } from 'vitest'
import { retryDelay } from './retry-delay.ts'

const HOUR = 3_600

describe('retryDelay', () => {
  it('begins at five minutes and ends at twelve hours', () => {
    const delays = [1, 2, 3, 8, 9, 10].map(retryDelay)
    expect(delays).toEqual([300, 600, 1_200, 38_400, 12 * HOUR, 12 * HOUR])
  })

  it('gives up before an attempt more than 48 hours after the first one', () => {
    let waited = 0
    let attempts = 1
    for (let delay = retryDelay(attempts); delay !== null; delay = retryDelay(attempts)) {
      waited += delay
      attempts++
    }
    expect(waited).toBeLessThanOrEqual(48 * HOUR)
    expect(waited).toBeGreaterThan(36 * HOUR)
  })
})
