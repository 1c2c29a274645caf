import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Pool, Sql } from '@emma/db/connection.ts'
import { DkimKeyError } from '@emma/mail/dkim/dkim-key.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { expandCampaign, type ExpandSource } from './1-expand/expand-campaign.ts'
import { claimDue } from './2-claim/claim-due.ts'
import { divideSlots } from './2-claim/divide-slots.ts'
import { type EngineLease, takeEngineLease } from './2-claim/engine-lease.ts'
import { recoverLost } from './5-record/recover-lost.ts'
import { breakOff, cancelStopped, finishCampaigns, startScheduled } from './5-record/close-campaigns.ts'
import { listToMark, markSent } from './5-record/mark-sent.ts'
import { reportProgress, type Told } from './5-record/report-progress.ts'
import { type CampaignKey, keyOf, sameCampaign } from './campaign-key.ts'
import { CampaignFault, snapshotCampaign, type TrackingBaseOf } from './campaign-snapshot.ts'
import { createDispatcher } from './dispatcher.ts'
import type { ClaimedRow } from './outcome.ts'
import { listPreparing, listRunning, type RunningCampaign } from './running-campaigns.ts'

export interface EngineOptions {
  sql: Sql
  /** One connection of it is kept for the engine's identity. */
  pool: Pool
  logger: EngineLogger
  segmentOf: ExpandSource['segmentOf']
  trackingBaseOf: TrackingBaseOf
  tokenKey: KeyObject
  /** Opens DKIM keys and SMTP passwords. */
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  /** The name this machine greets servers with. */
  helo: string
  /** Seconds of waiting before a retry, for a second in life. */
  retryScale?: { testbed: number; smtp: number }
}

export interface EngineLogger {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface Engine {
  /** Claims nothing more, brings what is on its way to its end (at most 20 s), records it. */
  stop(): Promise<void>
}

/** How often states of campaigns are looked at: a pause or a stop is honoured within this. */
const HOUSE_TICK = 250

/** How soon a campaign that had nothing due, or no tokens, is asked again. */
const REST = 100

/** Rows claimed by one engine at most, whatever its transports could take. */
const MOST_HELD = 4_000

const DRAIN = 20_000

/** How often members of a campaign that sends learn when they were written to last. */
const MARK_PAUSE = 300_000

/** The six stages at work: expands, claims, renders, delivers, records; the reactions are their own loop. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { sql, pool, logger } = options
  const dispatcher = createDispatcher(options)
  const source: ExpandSource = {
    segmentOf: options.segmentOf,
    takeSnapshot: (tx, key) => snapshotCampaign(tx, key, options.trackingBaseOf),
  }
  const told: Told = new Map()
  let lease = await takeEngineLease(pool)
  let running: RunningCampaign[] = []
  const stopping = new AbortController()
  let turn = 0
  const restUntil = new Map<string, number>()
  const marked = new Map<string, { at: number; wasOpen: boolean }>()

  const loops = [
    keep('prepare campaigns', HOUSE_TICK, prepare),
    keep('look after campaigns', HOUSE_TICK, keepHouse),
    keep('count progress', 0, tellProgress),
    keep('send', 0, send),
    keep('mark who was sent to', 2_000, markMembers),
  ]

  return {
    async stop() {
      stopping.abort()
      dispatcher.wake()
      await Promise.race([Promise.all(loops), sleep(DRAIN, undefined, { ref: false })])
      const isDrained = await Promise.race([
        dispatcher.close().then(() => true),
        sleep(DRAIN, false, { ref: false }),
      ])
      // What could not be brought to its end is for the next engine to recover.
      if (isDrained) await sql.deleteFrom('engine').where('lease', '=', lease.id).execute()
      await lease.release()
    },
  }

  /** Does a thing again and again. What fails is tried again: mostly the database is away for a moment. */
  async function keep(what: string, pause: number, work: () => Promise<void>): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      try {
        await work()
        failures = 0
        if (pause > 0) await rest(pause)
      } catch (error) {
        failures++
        if (failures === 1) logger.error({ err: error }, `The engine could not ${what}; trying on`)
        await rest(Math.min(5_000, 200 * 2 ** failures))
      }
    }
  }

  /** Ends at once when the engine stops. */
  async function rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  }

  async function prepare(): Promise<void> {
    await startScheduled(sql)
    for (const key of await listPreparing(sql)) {
      if (stopping.signal.aborted) return
      await expandOrBreakOff(key)
    }
  }

  async function expandOrBreakOff(key: CampaignKey): Promise<void> {
    try {
      const expansion = await expandCampaign(sql, key, source)
      if (expansion) logger.info({ ...key, ...expansion }, 'Campaign expanded')
    } catch (error) {
      // The others go on; this one is tried again.
      if (!isFault(error)) return logger.error({ ...key, err: error }, 'A campaign could not be expanded')
      logger.warn({ ...key, reason: error.message }, 'Campaign cannot be sent')
      await breakOff(sql, key, 'failed', error.message)
    }
  }

  async function keepHouse(): Promise<void> {
    running = await listRunning(sql)
    for (const { campaign, fault } of await dispatcher.follow(running)) {
      logger.warn({ ...keyFields(campaign), reason: fault.message }, 'Campaign is held')
      await breakOff(sql, campaign, 'held', fault.message)
    }
    await cancelStopped(sql)
    for (const lost of await recoverLost(sql)) logger.warn(lost, 'Mails were in flight when an engine died')
    await finishCampaigns(sql)
  }

  /** At most twice a second, and no more than a twentieth of the time is spent counting. */
  async function tellProgress(): Promise<void> {
    const start = performance.now()
    await reportProgress(sql, told)
    await rest(Math.max(500, 20 * (performance.now() - start)))
  }

  /** At once for campaigns that have ended, every few minutes for those that send. */
  async function markMembers(): Promise<void> {
    for (const campaign of await listToMark(sql)) {
      if (stopping.signal.aborted) return
      const { isOpen } = campaign
      const before = marked.get(keyOf(campaign))
      const now = performance.now()
      if (before && (!before.wasOpen || (isOpen && now - before.at < MARK_PAUSE))) continue
      await markSent(sql, campaign)
      marked.set(keyOf(campaign), { at: now, wasOpen: isOpen })
    }
  }

  async function send(): Promise<void> {
    if (!lease.isHeld) lease = await renewLease(lease)
    const now = performance.now()
    const ready = rotate(
      running.filter(campaign => (restUntil.get(keyOf(campaign)) ?? 0) <= now),
      turn++,
    )
    const demands = ready.map(campaign => ({ ...campaign, room: dispatcher.roomFor(campaign) }))
    const slots = divideSlots(MOST_HELD - dispatcher.held, demands)
    const grants = ready.flatMap((campaign, index) => {
      const limit = slots[index] ?? 0
      return limit > 0 ? [{ ...campaign, limit, pace: paceOf(campaign) }] : []
    })
    if (grants.length === 0) return dispatcher.untilRoom(REST)
    const rows = await claimDue(sql, lease.id, grants)
    for (const grant of grants) {
      const own = rows.filter(row => sameCampaign(row, grant))
      if (own.length < grant.limit) restUntil.set(keyOf(grant), performance.now() + REST)
      if (own.length > 0) dispatch(grant, own)
    }
  }

  function dispatch(campaign: RunningCampaign, rows: ClaimedRow[]): void {
    dispatcher.dispatch(campaign, rows, lease.id).catch(async (error: unknown) => {
      if (!isFault(error)) return logger.error({ err: error }, 'Mails could not be handed over; trying on')
      logger.warn({ ...keyFields(campaign), reason: error.message }, 'Campaign cannot go on')
      await breakOff(sql, campaign, 'failed', error.message)
    })
  }

  async function renewLease(old: EngineLease): Promise<EngineLease> {
    logger.warn({ lease: old.id }, 'The engine lost its connection; it goes on under a new identity')
    await old.release()
    return takeEngineLease(pool)
  }
}

/** Faults of the campaign itself, with words for its owner. */
function isFault(error: unknown): error is Error {
  return [CampaignFault, ContentError, HeaderError, DkimKeyError, EmmaError].some(
    kind => error instanceof kind,
  )
}

function paceOf({ throttle, throttleUnit }: RunningCampaign) {
  return throttle > 0 ? { mails: throttle, unit: throttleUnit } : null
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}

function keyFields({ clientId, campaignId }: CampaignKey): CampaignKey {
  return { clientId, campaignId }
}
