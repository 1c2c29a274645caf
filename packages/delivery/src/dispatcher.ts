import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Pool, Sql } from '@emma/db/connection.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import { readRecipients, type Recipient } from './2-claim/read-recipients.ts'
import { compileCampaign, type CompiledCampaign } from './3-render/compile-campaign.ts'
import { renderMail } from './3-render/render-mail.ts'
import {
  openTransport,
  type Transport,
  TransportFault,
  type TransportSettings,
} from './4-deliver/transport.ts'
import { keyOf } from './campaign-key.ts'
import { CampaignFault } from './campaign-snapshot.ts'
import { loadDkimKeys } from './dkim-keys.ts'
import type { ClaimedRow, Outcome } from './outcome.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { isRealDelivery, type RunningCampaign, readSnapshot, transportSettings } from './running-campaigns.ts'

export interface DispatcherOptions {
  sql: Sql
  pool: Pool
  logger: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
  tokenKey: KeyObject
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  retryScale?: { testbed: number; smtp: number }
}

/** Takes claimed rows through rendering, delivery and recording. */
export interface Dispatcher {
  /** Rows claimed and not settled yet. */
  readonly held: number
  /** Rows the campaign's way out can take now. */
  roomFor(campaign: RunningCampaign): number
  /** Brings all rows to a recorded outcome. Rejects, after giving them back, when the campaign is at fault. */
  dispatch(campaign: RunningCampaign, rows: readonly ClaimedRow[], lease: string): Promise<void>
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

/** The way out of one mail class. */
interface Lane {
  settings: TransportSettings
  transport: Transport
  /** Rows claimed for it and not settled. */
  held: number
  /** Rows that have begun and whose outcome a crash would lose: never more than the transport's capacity. */
  begun: number
  /** Rows that wait to begin. */
  waiting: (() => void)[]
  /** Rows settled since the last look, and how many a second that made. */
  settled: number
  rate: number
  /** While the next hop cannot be reached nothing is claimed for it. */
  closedUntil: number
  failures: number
}

/** Rows are claimed for this many seconds of work: claims are large where a lane is fast, and data are fresh. */
const AHEAD_SECONDS = 0.4
const MOST_AHEAD = 1_000

/** Rows rendered and signed at a time, as a multiple of what may be on the wire. */
const RENDERED = 3

/**
 * In life a retry waits 5 minutes and more. In the testbed a day is 40 seconds: a full mailbox is given up after 75 seconds
 * instead of 45 hours.
 */
const RETRY_SCALE = { testbed: 40 / 86_400, smtp: 1 }

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { sql, pool, logger, tokenKey } = options
  const retryScale = options.retryScale ?? RETRY_SCALE
  const lanes = new Map<string, Lane>()
  const compiled = new Map<string, Promise<CompiledCampaign>>()
  const recorders = new Map<string, Recorder>()
  let running = new Set<string>()
  let lookedAt = performance.now()
  let held = 0
  let isClosing = false
  let realDelivery = false
  let wakeUp: (() => void) | null = null

  return {
    get held() {
      return held
    },
    roomFor(campaign) {
      const lane = lanes.get(laneKey(campaign))
      if (!lane || performance.now() < lane.closedUntil) return 0
      const ahead = Math.min(MOST_AHEAD, Math.max(2 * lane.transport.capacity, lane.rate * AHEAD_SECONDS))
      const room = Math.floor(ahead) - lane.held
      // Half of it at a time: a claim of three rows costs as much as one of thirty.
      return room * 2 >= ahead ? room : 0
    },
    dispatch,
    untilRoom: most =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, most)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake,
    follow,
    async close() {
      isClosing = true
      await Promise.all([...lanes.values()].map(lane => lane.transport.close()))
      await Promise.all([...recorders.values()].map(recorder => recorder.drained()))
    },
  }

  function wake(): void {
    wakeUp?.()
  }

  async function follow(campaigns: readonly RunningCampaign[]): Promise<BlockedCampaign[]> {
    if (campaigns.length > 0) realDelivery = await isRealDelivery(sql)
    running = new Set(campaigns.map(keyOf))
    for (const key of compiled.keys()) if (!running.has(key)) compiled.delete(key)
    measureLanes()
    const wanted = new Map(campaigns.map(campaign => [laneKey(campaign), campaign.mailclass]))
    for (const [key, lane] of lanes) {
      const mailclass = wanted.get(key)
      const settings = mailclass && transportSettings(mailclass, options.openSecret)
      if (settings && isDeepStrictEqual(settings, lane.settings)) continue
      lanes.delete(key)
      // In the background: mails on their way keep their connections.
      void lane.transport.close()
    }
    return campaigns.flatMap(campaign => openLane(campaign) ?? [])
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

  /** Says what is in the way, when the campaign's mail class cannot send. */
  function openLane(campaign: RunningCampaign): BlockedCampaign | null {
    const key = laneKey(campaign)
    if (lanes.has(key)) return null
    const settings = transportSettings(campaign.mailclass, options.openSecret)
    try {
      const { testbed, helo } = options
      const transport = openTransport(settings, { testbed, helo, realDelivery })
      lanes.set(key, {
        settings,
        transport,
        held: 0,
        begun: 0,
        waiting: [],
        settled: 0,
        rate: 0,
        closedUntil: 0,
        failures: 0,
      })
      return null
    } catch (error) {
      if (!(error instanceof TransportFault)) throw error
      return { campaign, fault: error }
    }
  }

  async function dispatch(
    campaign: RunningCampaign,
    rows: readonly ClaimedRow[],
    lease: string,
  ): Promise<void> {
    const lane = lanes.get(laneKey(campaign))
    const recorder = recorderFor(lease)
    const scale = lane?.transport.name === 'testbed' ? retryScale.testbed : retryScale.smtp
    const { resendUnknown } = campaign
    held += rows.length
    if (lane) lane.held += rows.length
    const open = new Set(rows)
    const settle = async (row: ClaimedRow, outcome: Outcome) => {
      open.delete(row)
      await recorder.settle({ row, outcome, retryScale: scale, resendUnknown })
      held--
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
      const queue = recipients.values()
      const worker = async () => {
        for (const recipient of queue) await deliver({ campaign, form, lane, recorder, recipient, settle })
      }
      const workers = Math.min(recipients.length, RENDERED * lane.transport.capacity)
      const results = await Promise.allSettled(Array.from({ length: workers }, worker))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    } catch (error) {
      if (lane) closeFor(lane, String(error))
      throw error
    } finally {
      // What has not left goes back as it was.
      await Promise.all([...open].map(row => settle(row, RETURNED)))
    }
  }

  /** Brings one mail to its outcome; it begins when the journal says so. */
  async function deliver({ campaign, form, lane, recorder, recipient, settle }: Delivery): Promise<void> {
    const { row } = recipient
    if ('skip' in recipient) return settle(row, { kind: 'skipped', reason: recipient.skip })
    if (!maySend(campaign, lane)) return settle(row, RETURNED)
    const mail = await renderMail(form, { ...row, member: recipient.member }, tokenKey).catch(unrenderable)
    if ('kind' in mail) return settle(row, mail)
    await takeSlot(lane)
    try {
      if (!maySend(campaign, lane) || !(await recorder.begin(row))) return await settle(row, RETURNED)
      const outcome = await lane.transport.send(mail.envelope, mail.bytes)
      if (outcome.kind === 'returned') closeFor(lane, outcome.text)
      else lane.failures = 0
      await settle(row, outcome)
    } finally {
      leaveSlot(lane)
    }
  }

  /** A campaign that was paused, an engine that stops and a next hop that is away let nothing more begin. */
  function maySend(campaign: RunningCampaign, lane: Lane): boolean {
    return !isClosing && running.has(keyOf(campaign)) && performance.now() >= lane.closedUntil
  }

  function recorderFor(lease: string): Recorder {
    const known = recorders.get(lease)
    if (known) return known
    const made = createRecorder({ sql, pool }, lease, logger)
    recorders.set(lease, made)
    return made
  }

  /** The next hop cannot be reached: nobody's mail is tried until it has had some time. */
  function closeFor(lane: Lane, text: string): void {
    const now = performance.now()
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
    if (!snapshot) throw new CampaignFault('The campaign was not prepared.')
    const keys = await loadDkimKeys(sql, campaign.clientId, snapshot.domain, options.openSecret)
    if (keys.length === 0)
      throw new CampaignFault(`The domain ${snapshot.domain.name} has no key to sign mails with.`)
    return compileCampaign(snapshot, keys)
  }
}

interface Delivery {
  campaign: RunningCampaign
  form: CompiledCampaign
  lane: Lane
  recorder: Recorder
  recipient: Recipient
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
  else lane.begun--
}

const RETURNED: Outcome = { kind: 'returned', text: '' }

/** A mail that cannot be made is refused by us; the others of the campaign are not touched by it. */
function unrenderable(error: unknown): Outcome {
  if (!(error instanceof RenderError) && !(error instanceof HeaderError)) throw error
  const reply = { code: null, enhanced: null, text: error.message, class: 'content', hard: false } as const
  return { kind: 'rejected', reply }
}

function laneKey({ clientId, mailclassId }: RunningCampaign): string {
  return `${clientId}/${mailclassId}`
}
