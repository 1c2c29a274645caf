import type { Db } from '@emma/db/connection.ts'
import { claimDue } from '../2-claim/claim-due.ts'
import type { ClaimQuota } from '../2-claim/claim-quota.ts'
import { divideSlots } from '../2-claim/divide-slots.ts'
import type { TokenBucket } from '@emma/core/deliverability/limits/token-bucket.ts'
import { createRoundRobin } from '../2-claim/round-robin.ts'
import type { SendingRoute } from '../2-claim/sending-routes.ts'
import { keyFields, keyOf, sameCampaign } from '../model/campaign-key.ts'
import { type Kind, kindOf } from '../model/kind.ts'
import type { ClaimedRow } from '../model/outcome.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { EngineLogger } from './engine-logger.ts'
import { faultOf, holdCampaign, isFault } from './hold-campaign.ts'
import type { LeaseHolder } from './lease-holder.ts'
import type { RunningCampaign } from './running-campaigns.ts'

/**
 * Campaigns without due rows or tokens are tried again at the next multiple of these milliseconds: together, so that
 * those of one limit divide its tokens. Each resting for itself, the first to wake would take them all, every time.
 */
const REST_MS: Record<Kind, number> = { transactional: 50, bulk: 100 }

/**
 * Maximum rows claimed by one engine, whatever its transports could take. A tenant may hold at most the free ones, so
 * that tenants with hung next hops leave room for others.
 */
const MOST_HELD: Record<Kind, number> = { transactional: 2_000, bulk: 4_000 }

/** Milliseconds until a used-up day is checked again: unsent messages refund their tokens. */
const SPENT_FOR_MS = 5_000

interface ClaimContext {
  db: Db
  logger: EngineLogger
  dispatcher: Pick<Dispatcher, 'held' | 'roomFor' | 'roomForReceiver' | 'untilRoom' | 'dispatch'>
  lease: Pick<LeaseHolder, 'id' | 'ensure'>
}

interface Ready {
  campaign: RunningCampaign
  route: SendingRoute
}

/** Claims due rows for campaigns and passes them to the dispatcher. */
export class CampaignClaimer {
  readonly #context: ClaimContext
  readonly #roundRobins = { transactional: createRoundRobin(), bulk: createRoundRobin() }
  readonly #restUntil = new Map<string, number>()
  /** Days of warm-ups that are used up, and until when they are not checked again. */
  readonly #spentWarmups = new Map<string, number>()

  constructor(context: ClaimContext) {
    this.#context = context
  }

  /** One claim for campaigns of one kind; waits for room if there is nothing to claim. */
  async claim(kind: Kind, running: readonly RunningCampaign[]): Promise<void> {
    const { db, dispatcher, lease } = this.#context
    await lease.ensure()
    const wanted = this.#quotasOf(kind, running)
    if (wanted.length === 0) return dispatcher.untilRoom(REST_MS[kind])
    // The other loop may have renewed the lease by the time the rows are claimed.
    const { id } = lease
    const { rows, available } = await claimDue(
      db,
      id,
      wanted.map(({ quota }) => quota),
    )
    const claimed = wanted.map(one => ({
      ...one,
      own: rows.filter(row => sameCampaign(row, one.campaign)),
    }))
    this.#roundRobins[kind].record(
      claimed.map(({ campaign, own }) => ({ ...keyFields(campaign), mails: own.length })),
    )
    const now = performance.now()
    const restUntil = (Math.floor(now / REST_MS[kind]) + 1) * REST_MS[kind]
    for (const { campaign, route, quota, own } of claimed) {
      if (own.length < quota.limit) this.#restUntil.set(keyOf(campaign), restUntil)
      if (route.warmup && available.get(route.warmup.name) === 0)
        this.#spentWarmups.set(dayOf(route.warmup), now + SPENT_FOR_MS)
      if (own.length > 0) this.#dispatch(campaign, route, own, id)
    }
  }

  /** The first open route: not quarantined, and with volume left for the warm-up day. */
  firstRoute(campaign: RunningCampaign): SendingRoute | null {
    const now = performance.now()
    const isSpent = (warmup: TokenBucket) => (this.#spentWarmups.get(dayOf(warmup)) ?? 0) > now
    const isOpen = (route: SendingRoute) => !route.isQuarantined && !(route.warmup && isSpent(route.warmup))
    return campaign.routes.find(isOpen) ?? null
  }

  /** The route for its messages now; null in its quiet hours. */
  openRoute(campaign: RunningCampaign): SendingRoute | null {
    return campaign.isQuiet ? null : this.firstRoute(campaign)
  }

  /** Campaigns and warm-up days end: what is over takes no memory. */
  forgetExpired(): void {
    const now = performance.now()
    for (const times of [this.#restUntil, this.#spentWarmups])
      for (const [key, until] of times) if (until <= now) times.delete(key)
  }

  #quotasOf(kind: Kind, running: readonly RunningCampaign[]): (Ready & { quota: ClaimQuota })[] {
    const now = performance.now()
    const ready = this.#roundRobins[kind]
      .order(running.filter(campaign => campaign.hasDue && kindOf(campaign) === kind))
      .flatMap(campaign => {
        const route = this.openRoute(campaign)
        return route && (this.#restUntil.get(keyOf(campaign)) ?? 0) <= now ? [{ campaign, route }] : []
      })
    const slots = this.#slotsFor(kind, ready)
    return ready.flatMap(({ campaign, route }, index) => {
      const limit = slots[index] ?? 0
      return limit > 0 ? [{ campaign, route, quota: this.#quotaOf(campaign, route, limit) }] : []
    })
  }

  /** Slots per campaign; those of one connection pool share its room. */
  #slotsFor(kind: Kind, ready: readonly Ready[]): number[] {
    const { dispatcher } = this.#context
    const held = dispatcher.held(kind)
    const free = MOST_HELD[kind] - [...held.values()].reduce((sum, rows) => sum + rows, 0)
    const sharers = Map.groupBy(ready, ({ route }) => route.pool)
    const demands = ready.map(({ campaign, route }) => ({
      ...keyFields(campaign),
      room: Math.ceil(dispatcher.roomFor(route) / (sharers.get(route.pool)?.length ?? 1)),
    }))
    return divideSlots(free, demands, clientId => free - (held.get(clientId) ?? 0))
  }

  #quotaOf(campaign: RunningCampaign, route: SendingRoute, limit: number): ClaimQuota {
    return {
      ...keyFields(campaign),
      limit,
      buckets: [...campaign.buckets, ...route.buckets],
      receivers: route.receivers
        .filter(receiver => !route.closed.includes(receiver.providerId))
        .map(receiver => ({
          providerId: receiver.providerId,
          limit: Math.min(limit, this.#context.dispatcher.roomForReceiver(receiver)),
          buckets: receiver.buckets,
        })),
      closed: route.closed,
    }
  }

  #dispatch(campaign: RunningCampaign, route: SendingRoute, rows: ClaimedRow[], leaseId: string): void {
    const { db, logger, dispatcher } = this.#context
    dispatcher
      .dispatch(campaign, route, rows, leaseId)
      .catch(async (error: unknown) => {
        if (!isFault(error)) throw error
        // Some recipients have it already, the others get it once the fault is fixed.
        await holdCampaign(db, logger, campaign, faultOf(error))
      })
      .catch((err: unknown) => logger.error({ err }, 'Mails could not be handed over; retrying'))
  }
}

/** Key of a warm-up day with its volume. */
function dayOf(warmup: TokenBucket): string {
  return JSON.stringify(warmup)
}
