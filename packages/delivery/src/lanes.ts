import { isDeepStrictEqual } from 'node:util'
import { campaignFaults } from '@emma/contract/campaign-faults.ts'
import type { Sql } from '@emma/db/connection.ts'
import type { LaneUse } from './2-claim/turns.ts'
import type { Way } from './2-claim/ways.ts'
import {
  openTransport,
  type Outgoing,
  type Transport,
  TransportFault,
  type TransportSettings,
} from './4-deliver/transport.ts'
import { CampaignFault } from './campaign-snapshot.ts'
import type { Outcome } from './outcome.ts'
import { isRealDelivery, type RunningCampaign, transportSettings } from './running-campaigns.ts'
import { tellRefusedLogin } from './tell-refused-login.ts'

export interface LaneOptions {
  sql: Sql
  logger: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
  /** @throws CampaignFault when it was sealed with another key */
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  outgoing?: Outgoing | undefined
}

/** The connections of one way out. */
export interface Lane {
  settings: TransportSettings
  transport: Transport
  /** Rows claimed for it and not settled. */
  held: number
  /** Rows that have begun and whose outcome a crash would lose: never more than the transport's capacity. */
  begun: number
  /** Rows that wait to begin. */
  waiting: (() => void)[]
  /** Called when nothing is on its way any more. */
  whenIdle: (() => void)[]
  /** Rows settled since the last look, and how many a second that made. */
  settled: number
  rate: number
  /** While the next hop cannot be reached nothing is claimed for it. */
  closedUntil: number
  failures: number
  /** Since when, and why, it has taken nothing. */
  closed: { at: number; reason: string } | null
}

export interface BlockedCampaign {
  campaign: RunningCampaign
  fault: TransportFault
}

/** The ways out that running campaigns use, each with its connections. */
export interface Lanes {
  /** The lane of a way out, while it is open. */
  of(way: Way): Lane | null
  /** Rows a way out can take now. */
  roomFor(way: Way): number
  /** Why a way out takes no mail, and for how many milliseconds it has not; null when it does, as far as is known. */
  closedFor(way: Way): { reason: string; since: number } | null
  use: LaneUse
  /** Opens what running campaigns need, closes what they do not, and says which of them cannot send. */
  follow(campaigns: readonly RunningCampaign[]): Promise<BlockedCampaign[]>
  /** Takes down whether the next hop is there. */
  noteAnswer(lane: Lane, outcome: Outcome): void
  /** Something else went wrong: nobody's mail is tried there until it has had some time. */
  rest(lane: Lane, reason: string): void
  close(): Promise<void>
}

/** Rows are claimed for this many seconds of work: claims are large where a lane is fast, and data are fresh. */
const AHEAD_SECONDS = 0.4
const MOST_AHEAD = 1_000

export function createLanes(options: LaneOptions): Lanes {
  const { sql, logger, openSecret } = options
  const lanes = new Map<string, Lane>()
  /** Earlier connections that are brought to their end. */
  const closing = new Map<Lane, { key: string; done: Promise<void> }>()
  let lookedAt = performance.now()
  let realDelivery = false

  return {
    of: way => lanes.get(way.lane) ?? null,
    roomFor(way) {
      const lane = lanes.get(way.lane)
      if (!lane || performance.now() < lane.closedUntil) return 0
      const ahead = Math.min(MOST_AHEAD, Math.max(2 * lane.transport.capacity, lane.rate * AHEAD_SECONDS))
      const room = Math.floor(ahead) - lane.held
      // Half of it at a time: a claim of three rows costs as much as one of thirty.
      return room * 2 >= ahead ? room : 0
    },
    closedFor(way) {
      const { closed } = lanes.get(way.lane) ?? { closed: null }
      return closed && { reason: closed.reason, since: performance.now() - closed.at }
    },
    use: {
      isOpen: key => lanes.has(key),
      isClosing: key => [...closing.values()].some(one => one.key === key),
      isBusy(key) {
        const lane = lanes.get(key)
        return lane !== undefined && (lane.held > 0 || lane.settled > 0)
      },
    },
    async follow(campaigns) {
      const wasReal = realDelivery
      if (campaigns.length > 0) realDelivery = await isRealDelivery(sql)
      measure()
      const wanted = new Map(campaigns.flatMap(({ ways }) => ways).map(way => [way.lane, way]))
      for (const [key, lane] of lanes) {
        const way = wanted.get(key)
        const settings = way && settingsOf(way)
        // Whether a way out is open at all is decided anew when the switch is turned.
        if (settings && isDeepStrictEqual(settings, lane.settings) && wasReal === realDelivery) continue
        lanes.delete(key)
        // In the background: mails on their way keep their connections.
        closing.set(lane, { key, done: closeLane(lane) })
      }
      return campaigns.flatMap(campaign => openLanes(campaign) ?? [])
    },
    noteAnswer(lane, outcome) {
      if (outcome.kind === 'returned') {
        lane.closed = { at: lane.closed?.at ?? performance.now(), reason: outcome.text }
        rest(lane, outcome.text, outcome.retryAfter)
      } else {
        lane.closed = null
        lane.failures = 0
      }
    },
    rest,
    async close() {
      await Promise.all([...lanes.values()].map(lane => lane.transport.close()))
      await Promise.all([...closing.values()].map(({ done }) => done))
    },
  }

  /** Nothing more begins there; connections go when the last mail is through. */
  async function closeLane(lane: Lane): Promise<void> {
    if (lane.begun > 0) await new Promise<void>(resolve => lane.whenIdle.push(resolve))
    await lane.transport.close()
    closing.delete(lane)
  }

  function measure(): void {
    const now = performance.now()
    const seconds = (now - lookedAt) / 1000
    lookedAt = now
    for (const lane of lanes.values()) {
      lane.rate = lane.settled / seconds
      lane.settled = 0
    }
  }

  function settingsOf(way: Way): TransportSettings | TransportFault {
    try {
      return transportSettings(way.mailclass, openSecret, way.connections)
    } catch (error) {
      if (!(error instanceof CampaignFault)) throw error
      return new TransportFault(campaignFaults.secret_sealed)
    }
  }

  /** Says what is in the way, when the campaign's own mail class cannot send; the others only help out. */
  function openLanes(campaign: RunningCampaign): BlockedCampaign | null {
    const [first = null] = campaign.ways.map(way => openLane(way))
    return first && { campaign, fault: first }
  }

  function openLane(way: Way): TransportFault | null {
    const key = way.lane
    if (lanes.has(key) || way.connections === 0) return null
    const settings = settingsOf(way)
    if (settings instanceof TransportFault) return settings
    try {
      const { testbed, helo, outgoing } = options
      const onRefusedLogin = (loginId: number | null, reason: string) =>
        void tellRefusedLogin(sql, way.mailclass, loginId, reason).catch(err =>
          logger.error({ err }, 'A refused login could not be written down'),
        )
      const transport = openTransport(settings, { ...outgoing, testbed, helo, realDelivery, onRefusedLogin })
      lanes.set(key, {
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
   * The next hop cannot be reached, or takes nothing: nobody's mail is tried until it has had some time.
   *
   * @param retryAfter seconds it asks for itself
   */
  function rest(lane: Lane, reason: string, retryAfter?: number): void {
    const now = performance.now()
    if (retryAfter !== undefined) {
      lane.closedUntil = Math.max(lane.closedUntil, now + retryAfter * 1000)
      return logger.warn({ reason }, 'The next hop asks for some time')
    }
    if (now < lane.closedUntil) return
    if (lane.failures === 0) logger.warn({ reason }, 'The next hop does not take mail; waiting for it')
    lane.failures++
    lane.closedUntil = now + Math.min(30_000, 500 * 2 ** lane.failures)
  }
}

/** A slot goes from hand to hand, so that there are never more than the transport's capacity. */
export async function takeSlot(lane: Lane): Promise<void> {
  if (lane.begun >= lane.transport.capacity) return new Promise(resolve => lane.waiting.push(resolve))
  lane.begun++
}

export function leaveSlot(lane: Lane): void {
  const next = lane.waiting.shift()
  if (next) next()
  else if (--lane.begun === 0) for (const tell of lane.whenIdle.splice(0)) tell()
}
