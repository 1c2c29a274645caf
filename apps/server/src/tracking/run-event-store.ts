import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'

/** What the thread gets to work with. */
export interface HitStoreData {
  folder: string
  databaseUrl: string
  tokenKey: KeyObject
  logLevel: Config['logLevel']
  /** One number: how busy the thread that answers is, in per cent. */
  load: SharedArrayBuffer
}

/** Milliseconds between two looks at the load. */
const LOOK = 100

/**
 * Runs the hit store on a thread of its own: judging hits and writing them costs several times what answering them does.
 *
 * @returns stops it once all that the closed journal holds is stored, or enough time was spent on it
 */
export function runHitStore(data: Omit<HitStoreData, 'load'>): { finish(): Promise<void> } {
  const load = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const shown = new Int32Array(load)
  const worker = new Worker(new URL('event-store-thread.ts', import.meta.url), {
    workerData: { ...data, load } satisfies HitStoreData,
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
