import type { Db } from '@emma/db/connection.ts'
import { refundTokens } from '../2-claim/rate-limits.ts'
import type { ReceiverLimit, SendingRoute } from '../2-claim/sending-routes.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import type { ConnectionPool } from './connection-pools.ts'
import type { EngineLogger } from './engine-logger.ts'
import type { HeldRows } from './held-rows.ts'
import type { ReceiverConcurrency } from './receiver-concurrency.ts'
import type { Recorder } from './recorder.ts'
import type { Signal } from './signal.ts'
import type { RunningCampaign } from './running-campaigns.ts'

interface BatchContext {
  db: Db
  logger: EngineLogger
  held: HeldRows
  receiverConcurrency: ReceiverConcurrency
  room: Signal
}

interface Claim {
  campaign: RunningCampaign
  route: SendingRoute
  rows: readonly ClaimedRow[]
  /** Null when the route is closed. */
  connections: ConnectionPool | null
  recorder: Recorder
  /** Factor for retry delays. */
  retryScale: number
}

/** Rows claimed together for one campaign and sending route. Each occupies capacity until it is settled. */
export class ClaimedBatch {
  readonly campaign: RunningCampaign
  readonly route: SendingRoute
  readonly recorder: Recorder
  readonly retryScale: number
  readonly #context: BatchContext
  readonly #connections: ConnectionPool | null
  readonly #receivers: ReadonlyMap<number, ReceiverLimit>
  readonly #open: Set<ClaimedRow>
  readonly #owed = { unsent: 0, deferred: 0 }

  constructor(context: BatchContext, { campaign, route, rows, connections, recorder, retryScale }: Claim) {
    this.#context = context
    this.campaign = campaign
    this.route = route
    this.recorder = recorder
    this.retryScale = retryScale
    this.#connections = connections
    this.#receivers = new Map(route.receivers.map(receiver => [receiver.providerId, receiver]))
    this.#open = new Set(rows)
    context.held.add(campaign, rows.length)
    if (connections) connections.held += rows.length
    for (const row of rows) this.#holdAtReceiver(row, 1)
  }

  /** Receiver of a row, if it has limits. */
  receiverOf(row: ClaimedRow): ReceiverLimit | null {
    return this.#receivers.get(row.providerId) ?? null
  }

  /** Records the outcome of a row and frees its capacity; resolves once a crash cannot lose the outcome. */
  async settle(row: ClaimedRow, outcome: Outcome): Promise<void> {
    const { held, room } = this.#context
    this.#open.delete(row)
    if (outcome.kind === 'returned' || outcome.kind === 'skipped') this.#owed.unsent++
    if (outcome.kind === 'deferred') this.#owed.deferred++
    const { retryScale } = this
    const { resendUnknown } = this.campaign
    await this.recorder.settle({ row, outcome, retryScale, resendUnknown })
    held.add(this.campaign, -1)
    this.#holdAtReceiver(row, -1)
    if (!this.#connections) return
    this.#connections.held--
    this.#connections.settled++
    room.wake()
  }

  /** Releases unsent rows unchanged and refunds tokens of messages that were not sent. */
  async returnRest(): Promise<void> {
    const { db, logger } = this.#context
    await Promise.all([...this.#open].map(row => this.settle(row, { kind: 'returned', text: '' })))
    const buckets = [...this.campaign.buckets, ...this.route.buckets]
    await refundTokens(db, buckets, this.#owed).catch((err: unknown) =>
      logger.error({ err }, 'A day of a warm-up, or a window, lost what did not leave'),
    )
  }

  #holdAtReceiver(row: ClaimedRow, rows: number): void {
    const receiver = this.receiverOf(row)
    if (receiver) this.#context.receiverConcurrency.hold(receiver, rows)
  }
}
