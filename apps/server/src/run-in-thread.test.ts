import { afterEach, expect, test } from 'vitest'
import { createThread, ThreadTimeout } from './run-in-thread.ts'

const thread = createThread<string, string>(new URL('test/busy-thread.ts', import.meta.url), {
  processorMs: 500,
  memoryMb: 32,
})
afterEach(() => thread.close())

test('threads: an endless task is terminated, and the next one runs', async () => {
  // A running thread has no startup time.
  await thread.run('start')
  const endless = thread.run('loop')
  const next = thread.run('next')
  await expect(endless).rejects.toThrow(ThreadTimeout)
  expect(await next).toBe('next!')
  expect(await thread.run('after')).toBe('after!')
})

test('threads: a task that waits is given up later than a busy one, by the clock', async () => {
  await thread.run('start')
  const start = performance.now()
  await expect(thread.run('wait')).rejects.toThrow(ThreadTimeout)
  // Three times its processor time.
  expect(performance.now() - start).toBeGreaterThan(1_400)
  expect(await thread.run('after')).toBe('after!')
})

test('threads: errors of a task are passed on, and a dead thread is replaced', async () => {
  await expect(thread.run('throw')).rejects.toThrow('thrown')
  await expect(thread.run('die')).rejects.toThrow('died')
  expect(await thread.run('again')).toBe('again!')
})
