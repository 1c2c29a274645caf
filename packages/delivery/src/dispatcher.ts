import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { campaignFaults, faultText } from '@emma/contract/campaign-faults.ts'
import type { Pool, Sql } from '@emma/db/connection.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import { giveBack } from './2-claim/pace.ts'
import { readRecipients, type Recipient } from './2-claim/read-recipients.ts'
import type { LaneUse } from './2-claim/turns.ts'
import type { ReceiverLimit, Way } from './2-claim/ways.ts'
import { compileCampaign, type CompiledCampaign } from './3-render/compile-campaign.ts'
import { renderMail } from './3-render/render-mail.ts'
import {
  openTransport,
  type Outgoing,
  type Transport,
  TransportFault,
  type TransportSettings,
} from './4-deliver/transport.ts'
import { keyOf } from './campaign-key.ts'
import { CampaignFault } from './campaign-snapshot.ts'
import type { Kind } from './kind.ts'
import { loadDkimKeys } from './dkim-keys.ts'
import { tellRefusedLogin } from './tell-refused-login.ts'
import { createGates } from './gates.ts'
import type { ClaimedRow, Outcome } from './outcome.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createReplyDesk } from './reply-desk.ts'
import { isRealDelivery, type RunningCampaign, readSnapshot, transportSettings } from './running-campaigns.ts'

export interface DispatcherOptions {
  sql: Sql
  pool: Pool
  logger: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
  tokenKey: KeyObject
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  outgoing?: Outgoing | undefined
  retryScale?: { testbed: number; smtp: number }
}

/** Takes claimed rows through rendering, delivery and recording. */
export interface Dispatcher {
  /** Rows claimed and not settled yet, by the client they belong to. */
  held(kind: Kind): ReadonlyMap<number, number>
  /** Rows a way out can take now. */
  roomFor(way: Way): number
  /** Rows a receiver can take now that has a limit. */
  roomForReceiver(receiver: ReceiverLimit): number
  /** Why a way out takes no mail, and for how many milliseconds it has not; null when it does, as far as is known. */
  closedFor(way: Way): { reason: string; since: number } | null
  /** What is known of the connections of ways out, by their lanes. */
  laneUse: LaneUse
  /** Brings all rows to a recorded outcome. Rejects, after giving them back, when the campaign is at fault. */
  dispatch(campaign: RunningCampaign, way: Way, rows: readonly ClaimedRow[], lease: string): Promise<void>
  /** Resolves when there may be room again, or after so many milliseconds. */
  untilRoom(most: number): Promise<void>
  wake(): void
  /** Forgets what no running campaign needs, takes changed settings over, and says which campaigns cannot send. */
  follow(running: readonly RunningCampaign[]): Promise<BlockedCampaign[]>
  close(): Promise<void>
}

export interface BlockedCampaign {
  campaign: RunningCampaign
  fault: TransportFault
}

/** The connections of one way out. */
interface Lane {
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

/** Rows are claimed for this many seconds of work: claims are large where a lane is fast, and data are fresh. */
const AHEAD_SECONDS = 0.4
const MOST_AHEAD = 1_000

/** Rows rendered and signed at a time, as a multiple of what may be on the wire. */
const RENDERED = 2

/**
 * In life a retry waits 5 minutes and more. In the testbed a day is 40 seconds: a full mailbox is given up after 75 seconds
 * instead of 45 hours.
 */
const RETRY_SCALE = { testbed: 40 / 86_400, smtp: 1 }

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { sql, pool, logger, tokenKey } = options
  const retryScale = options.retryScale ?? RETRY_SCALE
  const lanes = new Map<string, Lane>()
  /** Earlier connections that are brought to their end. */
  const closing = new Map<Lane, { key: string; done: Promise<void> }>()
  const compiled = new Map<string, Promise<CompiledCampaign>>()
  const recorders = new Map<string, Recorder>()
  const gates = createGates()
  const desk = createReplyDesk(sql, logger)
  let running = new Map<string, RunningCampaign>()
  let lookedAt = performance.now()
  const held = { transactional: new Map<number, number>(), bulk: new Map<number, number>() }
  let isClosing = false
  let realDelivery = false
  const sleepers = new Set<() => void>()
  const dispatching = new Set<Promise<void>>()

  return {
    held: kind => held[kind],
    roomFor(way) {
      const lane = lanes.get(way.lane)
      if (!lane || performance.now() < lane.closedUntil) return 0
      const ahead = Math.min(MOST_AHEAD, Math.max(2 * lane.transport.capacity, lane.rate * AHEAD_SECONDS))
      const room = Math.floor(ahead) - lane.held
      // Half of it at a time: a claim of three rows costs as much as one of thirty.
      return room * 2 >= ahead ? room : 0
    },
    roomForReceiver: receiver => gates.roomFor(receiver),
    closedFor(way) {
      const { closed } = lanes.get(way.lane) ?? { closed: null }
      return closed && { reason: closed.reason, since: performance.now() - closed.at }
    },
    laneUse: {
      isOpen: key => lanes.has(key),
      isClosing: key => [...closing.values()].some(one => one.key === key),
      isBusy(key) {
        const lane = lanes.get(key)
        return lane !== undefined && (lane.held > 0 || lane.settled > 0)
      },
    },
    dispatch(...what) {
      const work: Promise<void> = dispatch(...what).finally(() => dispatching.delete(work))
      dispatching.add(work)
      return work
    },
    untilRoom: most =>
      new Promise(resolve => {
        const timer = setTimeout(end, most)
        sleepers.add(end)
        function end(): void {
          clearTimeout(timer)
          sleepers.delete(end)
          resolve()
        }
      }),
    wake,
    follow,
    async close() {
      isClosing = true
      await Promise.all([...lanes.values()].map(lane => lane.transport.close()))
      await Promise.all([...closing.values()].map(({ done }) => done))
      // Rows whose recipients are still being read are on no connection yet.
      await Promise.allSettled(dispatching)
      await Promise.all([...recorders.values()].map(recorder => recorder.drained()))
      await desk.drained()
    },
  }

  function wake(): void {
    for (const end of sleepers) end()
  }

  async function follow(campaigns: readonly RunningCampaign[]): Promise<BlockedCampaign[]> {
    const wasReal = realDelivery
    if (campaigns.length > 0) realDelivery = await isRealDelivery(sql)
    running = new Map(campaigns.map(campaign => [keyOf(campaign), campaign]))
    const ways = campaigns.flatMap(campaign => campaign.ways)
    gates.follow(ways)
    await desk.refresh()
    for (const key of compiled.keys()) if (!running.has(key)) compiled.delete(key)
    measureLanes()
    const wanted = new Map(ways.map(way => [way.lane, way]))
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
  }

  /** Nothing more begins there; connections go when the last mail is through. */
  async function closeLane(lane: Lane): Promise<void> {
    if (lane.begun > 0) await new Promise<void>(resolve => lane.whenIdle.push(resolve))
    await lane.transport.close()
    closing.delete(lane)
  }

  function measureLanes(): void {
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

  /** What was sealed with another key is the fault of those who need it, and of nobody else. */
  function openSecret(sealed: Buffer): string {
    try {
      return options.openSecret(sealed)
    } catch {
      throw new CampaignFault(campaignFaults.secret_sealed)
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

  async function dispatch(
    campaign: RunningCampaign,
    way: Way,
    rows: readonly ClaimedRow[],
    lease: string,
  ): Promise<void> {
    const lane = lanes.get(way.lane)
    const receivers = new Map(way.receivers.map(receiver => [receiver.providerId, receiver]))
    const receiverOf = (row: ClaimedRow) => receivers.get(row.providerId) ?? null
    const recorder = recorderFor(lease)
    const scale = lane?.transport.name === 'testbed' ? retryScale.testbed : retryScale.smtp
    const { resendUnknown } = campaign
    const ofKind = held[campaign.isTransactional ? 'transactional' : 'bulk']
    const holdFor = (count: number) =>
      ofKind.set(campaign.clientId, (ofKind.get(campaign.clientId) ?? 0) + count)
    holdFor(rows.length)
    if (lane) lane.held += rows.length
    for (const row of rows) holdAt(receiverOf(row), 1)
    const open = new Set(rows)
    const owed = { unsent: 0, deferred: 0 }
    const settle = async (row: ClaimedRow, outcome: Outcome) => {
      open.delete(row)
      if (outcome.kind === 'returned' || outcome.kind === 'skipped') owed.unsent++
      if (outcome.kind === 'deferred') owed.deferred++
      await recorder.settle({ row, outcome, retryScale: scale, resendUnknown })
      holdFor(-1)
      holdAt(receiverOf(row), -1)
      if (!lane) return
      lane.held--
      lane.settled++
      wake()
    }
    try {
      if (!lane) return
      const form = await compiledFor(campaign)
      const source = { memberTableId: campaign.memberTableId, columns: form.memberNames }
      const recipients = await readRecipients(sql, campaign.clientId, source, rows)
      const common = { campaign, way, form, lane, recorder, settle, scale }
      // Mails to a receiver that takes few at once must not keep the others waiting.
      const groups = Map.groupBy(recipients, ({ row }) => receiverOf(row))
      const workers = [...groups].flatMap(([receiver, group]) => {
        const queue = group.values()
        const worker = async () => {
          for (const recipient of queue) await deliver({ ...common, recipient, receiver })
        }
        return Array.from({ length: Math.min(group.length, RENDERED * lane.transport.capacity) }, worker)
      })
      const results = await Promise.allSettled(workers)
      for (const result of results) if (result.status === 'rejected') throw result.reason
    } catch (error) {
      if (lane) closeFor(lane, String(error))
      throw error
    } finally {
      // What has not left goes back as it was.
      await Promise.all([...open].map(row => settle(row, RETURNED)))
      await giveBack(sql, [...campaign.buckets, ...way.buckets], owed).catch((err: unknown) =>
        logger.error({ err }, 'A day of a warm-up, or a window, lost what did not leave'),
      )
    }
  }

  /** Brings one mail to its outcome; it begins when the journal says so. */
  async function deliver(delivery: Delivery): Promise<void> {
    const { campaign, way, form, lane, recorder, recipient, receiver, settle, scale } = delivery
    const { row } = recipient
    const maySend = () => maySendNow(campaign, way, lane, row)
    if ('skip' in recipient) return settle(row, { kind: 'skipped', reason: recipient.skip })
    if (!maySend()) return settle(row, RETURNED)
    const mail = await renderMail(form, { ...row, member: recipient.member }, tokenKey).catch(unrenderable)
    if ('kind' in mail) return settle(row, mail)
    if (receiver) await gates.enter(receiver)
    await takeSlot(lane)
    let settled: Promise<void> | undefined
    try {
      if (maySend() && (await recorder.begin(row))) {
        const outcome = await lane.transport.send(mail.envelope, mail.bytes, row)
        noteAnswer(lane, outcome)
        settled = settle(row, desk.decide(outcome, { campaign, way, row, scale }))
      } else settled = settle(row, RETURNED)
    } finally {
      // The next mail begins in the journal's entry that has this one's outcome, or in a later one: in none are there more
      // open than slots.
      leaveSlot(lane)
      if (receiver) gates.leave(receiver)
    }
    await settled
  }

  function holdAt(receiver: ReceiverLimit | null, rows: number): void {
    if (receiver) gates.hold(receiver, rows)
  }

  /**
   * A campaign that was paused or has its quiet hours, an engine that stops, a next hop that is away and a receiver that
   * is left alone for a while let nothing more begin.
   */
  function maySendNow(campaign: RunningCampaign, way: Way, lane: Lane, row: ClaimedRow): boolean {
    const now = running.get(keyOf(campaign))
    // Its connections are others' by now, or lead elsewhere.
    if (lanes.get(way.lane) !== lane) return false
    if (isClosing || !now || now.isQuiet || performance.now() < lane.closedUntil) return false
    const wayNow = now.ways.find(one => one.lane === way.lane)
    return wayNow !== undefined && !wayNow.isQuarantined && !wayNow.closed.includes(row.providerId)
  }

  function recorderFor(lease: string): Recorder {
    const known = recorders.get(lease)
    if (known) return known
    const made = createRecorder({ sql, pool }, lease, logger)
    recorders.set(lease, made)
    return made
  }

  function noteAnswer(lane: Lane, outcome: Outcome): void {
    if (outcome.kind === 'returned') {
      lane.closed = { at: lane.closed?.at ?? performance.now(), reason: outcome.text }
      closeFor(lane, outcome.text, outcome.retryAfter)
    } else {
      lane.closed = null
      lane.failures = 0
    }
  }

  /**
   * The next hop cannot be reached, or takes nothing: nobody's mail is tried until it has had some time.
   *
   * @param retryAfter seconds it asks for itself
   */
  function closeFor(lane: Lane, text: string, retryAfter?: number): void {
    const now = performance.now()
    if (retryAfter !== undefined) {
      lane.closedUntil = Math.max(lane.closedUntil, now + retryAfter * 1000)
      return logger.warn({ reason: text }, 'The next hop asks for some time')
    }
    if (now < lane.closedUntil) return
    if (lane.failures === 0) logger.warn({ reason: text }, 'The next hop does not take mail; waiting for it')
    lane.failures++
    lane.closedUntil = now + Math.min(30_000, 500 * 2 ** lane.failures)
  }

  function compiledFor(campaign: RunningCampaign): Promise<CompiledCampaign> {
    const key = keyOf(campaign)
    const known = compiled.get(key)
    if (known) return known
    const made = compile(campaign)
    compiled.set(key, made)
    made.catch(() => compiled.delete(key))
    return made
  }

  async function compile(campaign: RunningCampaign): Promise<CompiledCampaign> {
    const snapshot = await readSnapshot(sql, campaign)
    if (!snapshot) throw new CampaignFault(campaignFaults.not_prepared)
    const keys = await loadDkimKeys(sql, campaign.clientId, snapshot.domain, openSecret)
    if (keys.length === 0) throw new CampaignFault(faultText('no_key', { domain: snapshot.domain.name }))
    return compileCampaign(snapshot, keys)
  }
}

interface Delivery {
  campaign: RunningCampaign
  way: Way
  form: CompiledCampaign
  lane: Lane
  recorder: Recorder
  recipient: Recipient
  /** Where it goes, when there are limits for it. */
  receiver: ReceiverLimit | null
  /** Seconds here for a second of waiting in life. */
  scale: number
  settle: (row: ClaimedRow, outcome: Outcome) => Promise<void>
}

/** A slot goes from hand to hand, so that there are never more than the transport's capacity. */
async function takeSlot(lane: Lane): Promise<void> {
  if (lane.begun >= lane.transport.capacity) return new Promise(resolve => lane.waiting.push(resolve))
  lane.begun++
}

function leaveSlot(lane: Lane): void {
  const next = lane.waiting.shift()
  if (next) next()
  else if (--lane.begun === 0) for (const tell of lane.whenIdle.splice(0)) tell()
}

const RETURNED: Outcome = { kind: 'returned', text: '' }

/** A mail that cannot be made is refused by us; the others of the campaign are not touched by it. */
function unrenderable(error: unknown): Outcome {
  if (!(error instanceof RenderError) && !(error instanceof HeaderError)) throw error
  const reply = { code: null, enhanced: null, text: error.message, class: 'content', hard: false } as const
  return { kind: 'rejected', reply }
}
