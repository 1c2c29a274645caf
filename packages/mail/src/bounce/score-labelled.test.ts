import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scoreLabelled } from './score-labelled.ts'

const score = scoreLabelled(fileURLToPath(new URL('../../fixtures/bounce', import.meta.url)))

describe('labelled samples of returned messages', () => {
  it('are many, of many kinds', () => {
    expect(score.labels).toBeGreaterThan(290)
    expect(score.confusion.size).toBeGreaterThanOrEqual(10)
  })

  it('are classified correctly, without false bounces', () => {
    expect(score.recognised / score.labels).toBeGreaterThanOrEqual(0.99)
    expect(score.falsePositives).toBe(0)
  })

  it('have the correct hard flag and reason', () => {
    expect(score.hard / score.bounces).toBeGreaterThanOrEqual(0.97)
    expect(score.reason / score.judged).toBeGreaterThanOrEqual(0.92)
  })
})
