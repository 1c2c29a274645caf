import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPartStore } from './part-store.ts'

const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const here = () => Promise.resolve('code')
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('R009 all subscribers of a part share one fetch and are notified', async () => {
  const fetch = vi.fn<() => Promise<string>>(lost)
  const store = createPartStore(fetch)
  const listeners = [vi.fn<() => void>(), vi.fn<() => void>()]
  for (const listener of listeners) store.subscribe(listener)
  expect(store.get()).toEqual({ part: null, stage: 'coming' })
  await seconds(0)
  expect(store.get()).toEqual({ part: null, stage: 'missing' })
  fetch.mockImplementation(here)
  await seconds(1)
  expect(store.get().part).toBe('code')
  expect(fetch).toHaveBeenCalledTimes(2)
  for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(2)
})

test('R009 a part is retried while it is subscribed, and at once when subscribed again', async () => {
  const fetch = vi.fn<() => Promise<string>>(lost)
  const store = createPartStore(fetch)
  const leave = store.subscribe(() => {})
  const stay = store.subscribe(() => {})
  await seconds(0)
  leave()
  await seconds(1)
  expect(fetch).toHaveBeenCalledTimes(2)
  stay()
  await seconds(600)
  expect(fetch).toHaveBeenCalledTimes(2)
  store.subscribe(() => {})
  expect(fetch).toHaveBeenCalledTimes(3)
})

test('R009 the user can retry before the delay ends', async () => {
  const fetch = vi.fn<() => Promise<string>>(lost)
  const store = createPartStore(fetch)
  store.subscribe(() => {})
  await seconds(10)
  const attempts = fetch.mock.calls.length
  store.retry()
  expect(store.get().stage).toBe('retried')
  expect(fetch).toHaveBeenCalledTimes(attempts + 1)
  await seconds(0)
  expect(store.get().stage).toBe('missing')
  // The previous attempts are cancelled: one retry loop remains.
  await seconds(1)
  expect(fetch).toHaveBeenCalledTimes(attempts + 2)
})

test('R009 a prefetched part is available at once', async () => {
  const fetch = vi.fn<() => Promise<string>>(here)
  const store = createPartStore(fetch)
  store.prefetch()
  await seconds(0)
  expect(store.get().part).toBe('code')
  store.subscribe(() => {})
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('R009 a failed prefetch is retried on subscription', async () => {
  const fetch = vi.fn<() => Promise<string>>(lost)
  const store = createPartStore(fetch)
  store.prefetch()
  await seconds(0)
  expect(store.get()).toEqual({ part: null, stage: 'coming' })
  store.subscribe(() => {})
  expect(fetch).toHaveBeenCalledTimes(2)
})
