import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PeerClock } from './peer-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('PeerClock', () => {
  it('expires once the peer has used its time, over several periods', () => {
    const onExpire = vi.fn<() => void>()
    const clock = new PeerClock(1_000, onExpire)
    clock.start()
    vi.advanceTimersByTime(600)
    clock.stop()
    vi.advanceTimersByTime(60_000)
    clock.start()
    vi.advanceTimersByTime(399)
    expect(onExpire).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onExpire).toHaveBeenCalledOnce()
  })

  it('restarts with the full time after a reset', () => {
    const onExpire = vi.fn<() => void>()
    const clock = new PeerClock(1_000, onExpire)
    clock.start()
    vi.advanceTimersByTime(999)
    clock.reset()
    vi.advanceTimersByTime(999)
    expect(onExpire).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onExpire).toHaveBeenCalledOnce()
  })
})
