import { describe, expect, it } from 'vitest'
import { lifetimeOf } from './notification-lifetime.ts'

describe('lifetimeOf (R013)', () => {
  it('R013 lets good news and notes go after five seconds', () => {
    expect(lifetimeOf('success')).toBe(5000)
    expect(lifetimeOf('info')).toBe(5000)
  })

  it('leaves ten seconds for the action that one offers', () => {
    expect(lifetimeOf('success', { offersAction: true })).toBe(10_000)
    expect(lifetimeOf('danger', { offersAction: true })).toBe(false)
  })

  it('R013 keeps warnings, dangers and whatever is permanent until closed', () => {
    expect(lifetimeOf('warning')).toBe(false)
    expect(lifetimeOf('danger')).toBe(false)
    expect(lifetimeOf('success', { permanent: true })).toBe(false)
  })
})
