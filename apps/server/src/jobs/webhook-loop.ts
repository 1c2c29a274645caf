import { setTimeout as sleep } from 'node:timers/promises'
import { claimCalls, listTargets, recordCalls, type Target } from '@emma/core/webhooks/deliver-queue.ts'
import { gatherDeliveries } from '@emma/core/webhooks/gather-deliveries.ts'
import { gatherEvents } from '@emma/core/webhooks/gather-events.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Logger } from '../logger.ts'
import type { Sender } from './webhook-send.ts'

interface Webhooks {
  db: Db
  /** Decrypts the secrets. */
  key: Buffer
  sender: Sender
  logger: Logger
}

/** Milliseconds between idle checks; those of the ledger are less frequent. */
const pause = 1_000
const ledgerPause = 5_000

/** Concurrently called receivers, and concurrent calls to one of them. */
const mostTargets = 16
const callsEach = 4

/** Collects events into calls and sends them. A slow or failing receiver does not delay the calls of others. */
export function startWebhooks({ db, key, sender, logger }: Webhooks): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const { signal } = stopped
  const busy = new Map<number, Promise<void>>()
  const loops = [
    repeat('events could not be collected for webhooks', gatherLog),
    repeat('deliveries could not be collected for webhooks', gatherLedger),
    repeat('webhooks could not be called', callDue),
  ]

  /** `work` returns the milliseconds until its next run. */
  async function repeat(fault: string, work: () => Promise<number>): Promise<void> {
    while (!signal.aborted) {
      const wait = await work().catch((error: unknown) => {
        logger.error({ err: error }, fault)
        return 5 * pause
      })
      await sleep(wait, undefined, { signal }).catch(() => {})
    }
  }

  async function gatherLog(): Promise<number> {
    return (await gatherEvents(db)) ? 0 : pause
  }

  /** A run reads running campaigns entirely: limited to a tenth of the time. */
  async function gatherLedger(): Promise<number> {
    const started = Date.now()
    await gatherDeliveries(db)
    return Math.max(ledgerPause, 10 * (Date.now() - started))
  }

  async function callDue(): Promise<number> {
    const free = mostTargets - busy.size
    const targets = free > 0 ? await listTargets(db, key, mostTargets) : []
    const waiting = targets.filter(target => !busy.has(target.webhookId)).slice(0, free)
    for (const target of waiting) {
      const work = drain(target)
        .catch((error: unknown) => logger.error({ err: error }, 'a webhook could not be called'))
        .finally(() => busy.delete(target.webhookId))
      busy.set(target.webhookId, work)
    }
    return pause
  }

  /** Calls one receiver until nothing is due; after a failure it is left until the next run. */
  async function drain(target: Target): Promise<void> {
    while (!signal.aborted) {
      const calls = await claimCalls(db, target, callsEach)
      if (calls.length === 0) return
      const results = await Promise.all(calls.map(call => sender.send(target, call)))
      await recordCalls(db, target, results)
      if (!results.some(result => result.ok)) return
    }
  }

  return {
    async stop() {
      stopped.abort()
      await Promise.all([...loops, ...busy.values()])
      await sender.close()
    },
  }
}
