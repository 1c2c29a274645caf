import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '@emma/db/connection.ts'
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
import type { Settled } from './5-record/record-outcomes.ts'
import { keyOf } from './campaign-key.ts'
import { CampaignFault } from './campaign-snapshot.ts'
import { loadDkimKeys } from './dkim-keys.ts'
import type { ClaimedRow, Outcome } from './outcome.ts'
import { createRecorder } from './recorder.ts'
import { isRealDelivery, type RunningCampaign, readSnapshot, transportSettings } from './running-campaigns.ts'

export interface DispatcherOptions {
  sql: Sql
  logger: { warn(fields: object, text: string): void; error(fields: object, text: string): void }
  tokenKey: KeyObject
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  retryScale?: { testbed: number; smtp: number }
}

/** Takes claimed rows through rendering, delivery and recording. */
export interface Dispatcher {
  /** Rows claimed and not recorded yet. */
  readonly inFlight: number
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
  inFlight: number
  /** While the next hop cannot be reached nothing is claimed for it. */
  closedUntil: number
  failures: number
}

/**
 * Rows claimed for a lane at most, as a multiple of what is on its connections: while one load is on the wire the next
 * is claimed and rendered. It bounds what is unknown after a crash: connections × pipeline depth × this.
 */
const LOADS = 2

/**
 * In life a retry waits 5 minutes and more. In the testbed a day is 40 seconds: a full mailbox is given up after 75 seconds
 * instead of 45 hours.
 */
const RETRY_SCALE = { testbed: 40 / 86_400, smtp: 1 }

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { sql, logger, tokenKey } = options
  const retryScale = options.retryScale ?? RETRY_SCALE
  const lanes = new Map<string, Lane>()
  const compiled = new Map<string, Promise<CompiledCampaign>>()
  const recorder = createRecorder(sql, logger, wake)
  let inFlight = 0
  let realDelivery = false
  let wakeUp: (() => void) | null = null

  return {
    get inFlight() {
      return inFlight
    },
    roomFor(campaign) {
      const lane = lanes.get(laneKey(campaign))
      if (!lane || performance.now() < lane.closedUntil) return 0
      const room = lane.transport.capacity * LOADS - lane.inFlight
      // Half a load at a time: a claim of three rows costs as much as one of thirty.
      return room * 2 >= lane.transport.capacity ? room : 0
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
      await Promise.all([...lanes.values()].map(lane => lane.transport.close()))
      // Rows that were still being read or rendered come back as they were.
      while (inFlight > 0) await sleep(20)
    },
  }

  function wake(): void {
    wakeUp?.()
  }

  async function follow(running: readonly RunningCampaign[]): Promise<BlockedCampaign[]> {
    if (running.length > 0) realDelivery = await isRealDelivery(sql)
    const needed = new Set(running.map(keyOf))
    for (const key of compiled.keys()) if (!needed.has(key)) compiled.delete(key)
    const wanted = new Map(running.map(campaign => [laneKey(campaign), campaign.mailclass]))
    for (const [key, lane] of lanes) {
      const mailclass = wanted.get(key)
      const settings = mailclass && transportSettings(mailclass, options.openSecret)
      if (settings && isDeepStrictEqual(settings, lane.settings)) continue
      lanes.delete(key)
      // In the background: mails on their way keep their connections.
      void lane.transport.close()
    }
    return running.flatMap(campaign => openLane(campaign) ?? [])
  }

  /** Says what is in the way, when the campaign's mail class cannot send. */
  function openLane(campaign: RunningCampaign): BlockedCampaign | null {
    const key = laneKey(campaign)
    if (lanes.has(key)) return null
    const settings = transportSettings(campaign.mailclass, options.openSecret)
    try {
      const { testbed, helo } = options
      const transport = openTransport(settings, { testbed, helo, realDelivery })
      lanes.set(key, { settings, transport, inFlight: 0, closedUntil: 0, failures: 0 })
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
    inFlight += rows.length
    if (lane) lane.inFlight += rows.length
    const open = new Set(rows)
    const settle = (row: ClaimedRow, outcome: Outcome) => {
      open.delete(row)
      const scale = lane?.transport.name === 'testbed' ? retryScale.testbed : retryScale.smtp
      const settled: Settled = {
        row,
        outcome,
        lease,
        retryScale: scale,
        resendUnknown: campaign.resendUnknown,
      }
      recorder.add(settled, () => {
        inFlight--
        if (lane) lane.inFlight--
      })
    }
    try {
      if (!lane) return
      const form = await compiledFor(campaign)
      const recipients = await readRecipients(sql, campaign.clientId, campaign.memberTableId, rows)
      const results = await Promise.allSettled(
        recipients.map(async recipient => settle(recipient.row, await deliver(form, lane, recipient))),
      )
      for (const result of results) if (result.status === 'rejected') throw result.reason
    } catch (error) {
      if (lane) closeFor(lane, String(error))
      throw error
    } finally {
      // What has not left goes back as it was.
      for (const row of open) settle(row, { kind: 'returned', text: '' })
    }
  }

  async function deliver(form: CompiledCampaign, lane: Lane, recipient: Recipient): Promise<Outcome> {
    if ('skip' in recipient) return { kind: 'skipped', reason: recipient.skip }
    const { row, member } = recipient
    const mail = await renderMail(form, { ...row, member }, tokenKey).catch(unrenderable)
    if ('kind' in mail) return mail
    const outcome = await lane.transport.send(mail.envelope, mail.bytes)
    if (outcome.kind === 'returned') closeFor(lane, outcome.text)
    else lane.failures = 0
    return outcome
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

/** A mail that cannot be made is refused by us; the others of the campaign are not touched by it. */
function unrenderable(error: unknown): Outcome {
  if (!(error instanceof RenderError) && !(error instanceof HeaderError)) throw error
  const reply = { code: null, enhanced: null, text: error.message, class: 'content', hard: false } as const
  return { kind: 'rejected', reply }
}

function laneKey({ clientId, mailclassId }: RunningCampaign): string {
  return `${clientId}/${mailclassId}`
}
