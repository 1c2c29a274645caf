import { Worker } from 'node:worker_threads'

/** Runs tasks in a worker thread, one after the other. */
export interface Thread<I, O> {
  /** @throws ThreadTimeout, ThreadMemoryExceeded; any error of the task */
  run(input: I): Promise<O>
  close(): Promise<void>
}

/** Thrown if the task took too long and was terminated; the next one gets a new thread. */
export class ThreadTimeout extends Error {
  override name = 'ThreadTimeout'
}

/** Thrown if the task used too much memory and was terminated; the next one gets a new thread. */
export class ThreadMemoryExceeded extends Error {
  override name = 'ThreadMemoryExceeded'
}

/** Response of a thread's file to each message. */
export type ThreadAnswer<O> = { result: O } | { error: string }

/** Processor time in milliseconds to load the code of a new thread. */
const STARTUP_MS = 5_000

/** Time by the clock per processor time: for tasks that wait, and on a busy machine. */
const CLOCK_FACTOR = 3

/** Milliseconds between looks at the processor time of a task, at least. */
const LOOK_MS = 100

interface ThreadOptions {
  /** Processor time of a task in milliseconds; it may take three times as long by the clock. */
  processorMs: number
  /** Memory limit of the thread in megabytes. */
  memoryMb: number
}

/**
 * Runs a file as a worker thread that answers each message with a `ThreadAnswer`, to parse untrusted bytes: slow
 * tasks are terminated, and the main event loop never waits for them.
 */
export function createThread<I, O>(file: URL, { processorMs, memoryMb }: ThreadOptions): Thread<I, O> {
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(input) {
      const result = last.then(() => ask(input))
      last = result.catch(() => {})
      return result
    },
    async close() {
      await last
      await end()
    },
  }

  function ask(input: I): Promise<O> {
    const isNew = worker === null
    const thread = (worker ??= start())
    const { promise, resolve, reject } = Promise.withResolvers<O>()
    let isOver = false
    const fail = (error: Error) => {
      worker = null
      void thread.terminate()
      reject(error)
    }
    const onExit = () => fail(new Error('the thread ended'))
    const onMessage = (answer: ThreadAnswer<O>) => {
      if ('result' in answer) resolve(answer.result)
      else reject(new Error(answer.error))
    }
    const mostMs = processorMs + (isNew ? STARTUP_MS : 0)
    const expire = () => fail(new ThreadTimeout(`no answer within ${mostMs} ms`))
    const usedBefore = isNew ? Promise.resolve(0) : processorTime(thread, 0)
    let looking = setTimeout(look, mostMs)
    const clock = setTimeout(expire, mostMs * CLOCK_FACTOR)
    async function look(): Promise<void> {
      const leftMs = mostMs - (await processorTime(thread, Infinity)) + (await usedBefore)
      if (isOver) return
      if (leftMs <= 0) expire()
      else looking = setTimeout(look, Math.max(leftMs, LOOK_MS))
    }
    const onError = (error: Error) =>
      fail(isOutOfMemory(error) ? new ThreadMemoryExceeded(error.message) : error)
    thread.once('error', onError).once('exit', onExit).once('message', onMessage)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(input)
    return promise.finally(() => {
      isOver = true
      clearTimeout(looking)
      clearTimeout(clock)
      thread.off('error', onError).off('exit', onExit).off('message', onMessage)
    })
  }

  function start(): Worker {
    const started = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    // Between two tasks there is no other listener.
    started.on('error', () => {})
    started.unref()
    return started
  }

  async function end(): Promise<void> {
    const thread = worker
    worker = null
    await thread?.terminate()
  }
}

/** In milliseconds; it answers while the thread is busy, too. */
async function processorTime(thread: Worker, ofEnded: number): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return ofEnded
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
