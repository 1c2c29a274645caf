import { errorOfResponse } from '@emma/client/api-error.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isBusy, retryBusy } from './retry-busy.ts'

const refuse = (code: string, status: number, headers: Record<string, string>) =>
  errorOfResponse(new Response(JSON.stringify({ error: 'x', code }), { status, headers }), '/')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('retryBusy', () => {
  it('retries a busy server after its Retry-After and reports no error meanwhile', async () => {
    const answers = [await refuse('busy', 503, { 'retry-after': '7' })]
    const ask = vi.fn<() => Promise<string>>(async () => {
      const refusal = answers.shift()
      if (refusal) throw refusal
      return 'mail'
    })
    const observer = new QueryObserver(new QueryClient(), { queryKey: ['a'], queryFn: ask, ...retryBusy })
    const unsubscribe = observer.subscribe(() => {})
    await vi.advanceTimersByTimeAsync(6_900)
    expect(ask).toHaveBeenCalledOnce()
    expect(observer.getCurrentResult().error).toBeNull()
    expect(isBusy(observer.getCurrentResult().failureReason)).toBe(true)
    await vi.advanceTimersByTimeAsync(200)
    expect(observer.getCurrentResult()).toMatchObject({ data: 'mail', failureReason: null })
    unsubscribe()
  })

  it('does not retry other errors', async () => {
    expect(retryBusy.retry(0, await refuse('too_large', 413, {}))).toBe(false)
    expect(retryBusy.retry(100, await refuse('busy', 503, {}))).toBe(false)
  })
})
