import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryImport } from './retry-import.ts'

const page = new EventTarget()
const lost = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('R009 an import is retried when the connection returns', async () => {
  const fetch = vi.fn<() => Promise<unknown>>(lost)
  const fetched = retryImport(fetch)
  await vi.advanceTimersByTimeAsync(0)
  fetch.mockImplementation(() => Promise.resolve('code'))
  page.dispatchEvent(new Event('online'))
  await expect(fetched).resolves.toBe('code')
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('R009 an import is retried with increasing delays while the server is down', async () => {
  const fetch = vi.fn<() => Promise<unknown>>(lost)
  const onMiss = vi.fn<() => void>()
  const fetched = retryImport(fetch, { onError: onMiss })
  await minutes(1)
  // After 1, 3, 7, 15 and 31 s.
  expect(fetch).toHaveBeenCalledTimes(6)
  await minutes(60)
  expect(fetch.mock.calls.length).toBeGreaterThan(60)
  expect(fetch.mock.calls.length).toBeLessThanOrEqual(67)
  expect(onMiss).toHaveBeenCalledTimes(fetch.mock.calls.length)
  fetch.mockImplementation(() => Promise.resolve('code'))
  await minutes(1)
  await expect(fetched).resolves.toBe('code')
})

test('R009 retrying an import stops when it is aborted', async () => {
  const fetch = vi.fn<() => Promise<unknown>>(lost)
  const gone = new AbortController()
  const fetched = retryImport(fetch, { signal: gone.signal })
  const ended = fetched.catch((reason: unknown) => String(reason))
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetch).toHaveBeenCalledTimes(2)
  gone.abort()
  await expect(ended).resolves.toContain('AbortError')
  page.dispatchEvent(new Event('online'))
  await minutes(60)
  expect(fetch).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})
