import { describe, expect, it } from 'vitest'
import { lifetimeOf } from './notification-lifetime.ts'

describe('lifetimeOf (R013)', () => {
  it('R013 closes success and info after five seconds', () => {
    expect(lifetimeOf('success')).toBe(5000)
    expect(lifetimeOf('info')).toBe(5000)
  })

  it('closes notifications with an action after ten seconds', () => {
    expect(lifetimeOf('success', { offersAction: true })).toBe(10_000)
    expect(lifetimeOf('danger', { offersAction: true })).toBe(false)
  })

  it('R013 keeps warnings, dangers and permanent notifications until closed', () => {
    expect(lifetimeOf('warning')).toBe(false)
    expect(lifetimeOf('danger')).toBe(false)
    expect(lifetimeOf('success', { permanent: true })).toBe(false)
  })
})
