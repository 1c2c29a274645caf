import { afterEach, expect, test } from 'vitest'
import { createThread, ThreadTimeout } from './run-in-thread.ts'

const thread = createThread<string, string>(new URL('test/busy-thread.ts', import.meta.url), {
  timeoutMs: 500,
  memoryMb: 32,
})
afterEach(() => thread.close())

test('threads: a piece of work that never ends is ended, and the next is done', async () => {
  // A thread that has started is given no time to start.
  await thread.run('start')
  const endless = thread.run('loop')
  const next = thread.run('next')
  await expect(endless).rejects.toThrow(ThreadTimeout)
  expect(await next).toBe('next!')
  expect(await thread.run('after')).toBe('after!')
})

test('threads: what the work throws arrives, and a thread that dies is replaced', async () => {
  await expect(thread.run('throw')).rejects.toThrow('thrown')
  await expect(thread.run('die')).rejects.toThrow('died')
  expect(await thread.run('again')).toBe('again!')
})
