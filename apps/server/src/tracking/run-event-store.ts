import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'

/** Data passed to the thread. */
export interface EventStoreData {
  folder: string
  databaseUrl: string
  tokenKey: KeyObject
  logLevel: Config['logLevel']
  /** One number: the load of the responding thread in percent. */
  load: SharedArrayBuffer
}

/** Milliseconds between two measurements of the load. */
const LOOK = 100

/**
 * Runs the event store in a worker thread: classifying and storing events costs several times as much as responding.
 * @returns a function that stops it once the closed spool is stored, or after a time limit
 */
export function runEventStore(data: Omit<EventStoreData, 'load'>): { finish(): Promise<void> } {
  const load = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const shown = new Int32Array(load)
  const worker = new Worker(new URL('event-store-thread.ts', import.meta.url), {
    workerData: { ...data, load } satisfies EventStoreData,
  })
  let last = performance.eventLoopUtilization()
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    Atomics.store(shown, 0, Math.round(performance.eventLoopUtilization(now, last).utilization * 100))
    last = now
  }, LOOK)
  return {
    async finish() {
      clearInterval(looking)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage('finish')
      await once(worker, 'exit')
    },
  }
}
