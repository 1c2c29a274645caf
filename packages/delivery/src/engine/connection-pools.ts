import { isDeepStrictEqual } from 'node:util'
import { fault, type Fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import type { PoolUse } from '../2-claim/connection-time-slices.ts'
import type { SendingRoute } from '../2-claim/sending-routes.ts'
import {
  openTransport,
  type Outgoing,
  TransportFault,
  type TransportSettings,
} from '../4-deliver/transport.ts'
import { CampaignFault } from '../model/campaign-snapshot.ts'
import type { Outcome } from '../model/outcome.ts'
import { isRealDelivery, type RunningCampaign, transportSettings } from './running-campaigns.ts'
import { reportRefusedLogin } from './report-refused-login.ts'
import type { Transport } from '../4-deliver/transport-interface.ts'

export interface ConnectionPoolOptions {
  db: Db
  logger: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
  /** @throws CampaignFault if it was encrypted with another key */
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  outgoing?: Outgoing | undefined
}

/** The connections of one sending route. */
export interface ConnectionPool {
  settings: TransportSettings
  transport: Transport
  /** Claimed rows without outcome. */
  held: number
  /** Rows in flight, whose outcome a crash would lose: never more than the transport's capacity. */
  begun: number
  /** Rows waiting for a slot. */
  waiting: (() => void)[]
  /** Called when nothing is in flight any more. */
  whenIdle: (() => void)[]
  /** Rows settled since the last measurement, and the rate per second. */
  settled: number
  rate: number
  /** While the next hop is unreachable nothing is claimed for it. */
  closedUntil: number
  failures: number
  /** Since when and why it accepts nothing. */
  closed: { at: number; reason: string } | null
}

export interface BlockedCampaign {
  campaign: RunningCampaign
  fault: Fault
}

/** Connection pools of the sending routes that running campaigns use. */
export interface ConnectionPools {
  /** Returns the open pool of a sending route. */
  of(route: SendingRoute): ConnectionPool | null
  /** Returns the number of rows a sending route can take now. */
  roomFor(route: SendingRoute): number
  /**
   * Returns why a sending route accepts no mail, and since when in milliseconds; null if it does, as far as known.
   */
  closedFor(route: SendingRoute): { reason: string; since: number } | null
  use: PoolUse
  /** Opens pools that running campaigns need, closes others, and returns the campaigns that cannot send. */
  follow(campaigns: readonly RunningCampaign[]): Promise<BlockedCampaign[]>
  /** Records whether the next hop is reachable. */
  noteAnswer(connections: ConnectionPool, outcome: Outcome): void
  /** Pauses the route after another failure. */
  rest(connections: ConnectionPool, reason: string): void
  close(): Promise<void>
}

/** Seconds of work that are claimed in advance: fast pools get large claims, and data stay fresh. */
const AHEAD_SECONDS = 0.4
const MOST_AHEAD = 1_000

export function createConnectionPools(options: ConnectionPoolOptions): ConnectionPools {
  const { db, logger, openSecret } = options
  const connectionPools = new Map<string, ConnectionPool>()
  /** Closed pools with messages in flight. */
  const closing = new Map<ConnectionPool, { key: string; done: Promise<void> }>()
  let lookedAt = performance.now()
  let realDelivery = false

  return {
    of: route => connectionPools.get(route.pool) ?? null,
    roomFor(route) {
      const connections = connectionPools.get(route.pool)
      if (!connections || performance.now() < connections.closedUntil) return 0
      const ahead = Math.min(
        MOST_AHEAD,
        Math.max(2 * connections.transport.capacity, connections.rate * AHEAD_SECONDS),
      )
      const room = Math.floor(ahead) - connections.held
      // In halves: a claim of three rows costs as much as one of thirty.
      return room * 2 >= ahead ? room : 0
    },
    closedFor(route) {
      const { closed } = connectionPools.get(route.pool) ?? { closed: null }
      return closed && { reason: closed.reason, since: performance.now() - closed.at }
    },
    use: {
      isOpen: key => connectionPools.has(key),
      isClosing: key => [...closing.values()].some(one => one.key === key),
      isBusy(key) {
        const connections = connectionPools.get(key)
        return connections !== undefined && (connections.held > 0 || connections.settled > 0)
      },
    },
    async follow(campaigns) {
      const wasReal = realDelivery
      if (campaigns.length > 0) realDelivery = await isRealDelivery(db)
      measure()
      const wanted = new Map(campaigns.flatMap(({ routes }) => routes).map(route => [route.pool, route]))
      for (const [key, connections] of connectionPools) {
        const route = wanted.get(key)
        const settings = route && settingsOf(route)
        // Transports are reopened when real delivery is enabled or disabled.
        if (settings && isDeepStrictEqual(settings, connections.settings) && wasReal === realDelivery)
          continue
        connectionPools.delete(key)
        // In the background: messages in flight keep their connections.
        closing.set(connections, { key, done: closePool(connections) })
      }
      return campaigns.flatMap(campaign => openPools(campaign) ?? [])
    },
    noteAnswer(connections, outcome) {
      if (outcome.kind === 'returned') {
        connections.closed = { at: connections.closed?.at ?? performance.now(), reason: outcome.text }
        rest(connections, outcome.text, outcome.retryAfter)
      } else {
        connections.closed = null
        connections.failures = 0
      }
    },
    rest,
    async close() {
      await Promise.all([...connectionPools.values()].map(connections => connections.transport.close()))
      await Promise.all([...closing.values()].map(({ done }) => done))
    },
  }

  /** Starts nothing new; connections close after the last message. */
  async function closePool(connections: ConnectionPool): Promise<void> {
    if (connections.begun > 0) await new Promise<void>(resolve => connections.whenIdle.push(resolve))
    await connections.transport.close()
    closing.delete(connections)
  }

  function measure(): void {
    const now = performance.now()
    const seconds = (now - lookedAt) / 1000
    lookedAt = now
    for (const connections of connectionPools.values()) {
      connections.rate = connections.settled / seconds
      connections.settled = 0
    }
  }

  function settingsOf(route: SendingRoute): TransportSettings | TransportFault {
    try {
      return transportSettings(route.mailclass, openSecret, route.connections)
    } catch (error) {
      if (!(error instanceof CampaignFault)) throw error
      return new TransportFault(fault('campaign.secret_sealed'))
    }
  }

  /** Returns the fault if the campaign's own mail class cannot send; fallbacks are optional. */
  function openPools(campaign: RunningCampaign): BlockedCampaign | null {
    const [first = null] = campaign.routes.map(route => openPool(route))
    return first && { campaign, fault: first.fault }
  }

  function openPool(route: SendingRoute): TransportFault | null {
    const key = route.pool
    if (connectionPools.has(key) || route.connections === 0) return null
    const settings = settingsOf(route)
    if (settings instanceof TransportFault) return settings
    try {
      const { testbed, helo, outgoing } = options
      const onRefusedLogin = (loginId: number | null, reason: string) =>
        void reportRefusedLogin(db, route.mailclass, loginId, reason).catch(err =>
          logger.error({ err }, 'A refused login could not be written down'),
        )
      const transport = openTransport(settings, { ...outgoing, testbed, helo, realDelivery, onRefusedLogin })
      connectionPools.set(key, {
        settings,
        transport,
        held: 0,
        begun: 0,
        waiting: [],
        whenIdle: [],
        settled: 0,
        rate: 0,
        closedUntil: 0,
        failures: 0,
        closed: null,
      })
      return null
    } catch (error) {
      if (!(error instanceof TransportFault)) throw error
      return error
    }
  }

  /**
   * Pauses the route after the next hop was unreachable or accepted nothing.
   * @param retryAfter seconds requested by the next hop
   */
  function rest(connections: ConnectionPool, reason: string, retryAfter?: number): void {
    const now = performance.now()
    if (retryAfter !== undefined) {
      connections.closedUntil = Math.max(connections.closedUntil, now + retryAfter * 1000)
      return logger.warn({ reason }, 'The next hop asks for some time')
    }
    if (now < connections.closedUntil) return
    if (connections.failures === 0) logger.warn({ reason }, 'The next hop does not take mail; waiting for it')
    connections.failures++
    connections.closedUntil = now + Math.min(30_000, 500 * 2 ** connections.failures)
  }
}

/** A released slot passes directly to the next waiter, so that the transport's capacity is never exceeded. */
export async function acquire(connections: ConnectionPool): Promise<void> {
  if (connections.begun >= connections.transport.capacity)
    return new Promise(resolve => connections.waiting.push(resolve))
  connections.begun++
}

export function release(connections: ConnectionPool): void {
  const next = connections.waiting.shift()
  if (next) next()
  else if (--connections.begun === 0) for (const tell of connections.whenIdle.splice(0)) tell()
}
