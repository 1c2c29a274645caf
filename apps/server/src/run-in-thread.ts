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

/** Loading the code of a new thread takes seconds on a busy machine. */
const STARTUP_MS = 10_000

interface ThreadOptions {
  timeoutMs: number
  /** Memory limit of the thread in megabytes. */
  memoryMb: number
}

/**
 * Runs a file as a worker thread that answers each message with a `ThreadAnswer`, to parse untrusted bytes: slow
 * tasks are terminated, and the main event loop never waits for them.
 */
export function createThread<I, O>(file: URL, { timeoutMs, memoryMb }: ThreadOptions): Thread<I, O> {
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
    const wait = timeoutMs + (isNew ? STARTUP_MS : 0)
    const timer = setTimeout(() => fail(new ThreadTimeout(`no answer within ${wait} ms`)), wait)
    const onError = (error: Error) =>
      fail(isOutOfMemory(error) ? new ThreadMemoryExceeded(error.message) : error)
    thread.once('error', onError).once('exit', onExit).once('message', onMessage)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(input)
    return promise.finally(() => {
      clearTimeout(timer)
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

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
