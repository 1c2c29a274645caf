import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fault, type Fault } from '@emma/contract/faults.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { cancelOpen } from '@emma/core/campaigns/cancel-open.ts'
import { findSendingFaults } from '@emma/core/campaigns/sending-faults.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import { DkimKeyError } from '@emma/mail/dkim/dkim-key.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { expandCampaign, type ExpandSource } from '../1-expand/expand-campaign.ts'
import { lookUpReceivers, type ResolveMx } from '../1-expand/look-up-receivers.ts'
import { claimDue } from '../2-claim/claim-due.ts'
import { divideSlots } from '../2-claim/divide-slots.ts'
import { followLocalHours } from '../2-claim/local-hours.ts'
import { createRoundRobin } from '../2-claim/round-robin.ts'
import type { ClaimQuota } from '../2-claim/claim-quota.ts'
import { type TokenBucket, deleteOldBuckets } from '../2-claim/rate-limits.ts'
import { createTimeSlices } from '../2-claim/connection-time-slices.ts'
import type { SendingRoute } from '../2-claim/sending-routes.ts'
import { type EngineLease, isAtWork, isFirstEngine, takeEngineLease } from '../2-claim/engine-lease.ts'
import { recoverDeadEngines } from '../5-record/recover-dead-engines.ts'
import {
  failCampaign,
  finishCampaigns,
  reopenCampaigns,
  startScheduled,
} from '../5-record/close-campaigns.ts'
import { listToMark, markSent } from '../5-record/mark-sent.ts'
import { resendUnknown } from '../5-record/resolve-unknown.ts'
import { reportProgress, type LastReported } from '../5-record/report-progress.ts'
import { setWaitReason } from '../5-record/set-wait-reason.ts'
import type { Outgoing } from '../4-deliver/transport.ts'
import { type CampaignKey, keyOf, sameCampaign } from '../model/campaign-key.ts'
import {
  CampaignFault,
  SendingForbidden,
  snapshotCampaign,
  type TrackingBaseOf,
} from '../model/campaign-snapshot.ts'
import { cleanReply } from '../model/clean-reply.ts'
import { createDispatcher } from './dispatcher.ts'
import type { Kind } from '../model/kind.ts'
import type { ClaimedRow } from '../model/outcome.ts'
import { listPreparing, listRunning, type RunningCampaign } from './running-campaigns.ts'

export interface EngineOptions {
  db: Db
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
  /** Direct delivery and services; mail classes that need them are held where it is missing. */
  outgoing?: Outgoing | undefined
  /** Asks the DNS who takes a domain's mail; when left out, receivers are known by their domains alone. */
  resolveMx?: ResolveMx
  /** Seconds after which unknown mails are sent again where the campaign says so; 60 unless told otherwise. */
  resendAfter?: number
  /** Seconds after which a campaign says that nothing of it leaves; 15 unless told otherwise. */
  reportWaitAfter?: number
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
const CAMPAIGN_TICK_MS = 250

/** How soon a campaign that had nothing due, or no tokens, is asked again. */
const REST_MS: Record<Kind, number> = { transactional: 50, bulk: 100 }

/**
 * Rows claimed by one engine at most, whatever its transports could take. A tenant may hold as many as are free, so that
 * those whose next hops hang never leave nothing for the others.
 */
const MOST_HELD: Record<Kind, number> = { transactional: 2_000, bulk: 4_000 }

const DRAIN_TIMEOUT_MS = 20_000

/** Longer than an engine waits before it tries its database again. */
const RESEND_AFTER_S = 60

/** A receiver that is started again is back before anybody is told, in seconds. */
const REPORT_WAIT_AFTER_S = 15

/** A day that is spent is asked again after this: mails that did not leave give back what they took. */
const SPENT_FOR = 5_000

/** How often mails in local time are kept to their hours. */
const LOCAL_HOURS_TICK = 5_000

/** How often members of a campaign that sends learn when they were written to last. */
const MARK_PAUSE = 300_000

/** The five stages at work: expands, claims, renders, delivers, records. What follows from events is core's. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { db, pool, logger } = options
  const dispatcher = createDispatcher({
    ...options,
    onSenderRefused: (campaign, reply) =>
      void hold(campaign, fault('campaign.sender_refused', { reply: cleanReply(reply, 400) })).catch(
        (err: unknown) => logger.error({ err }, 'A campaign that receivers refuse could not be held'),
      ),
  })
  const timeSlices = createTimeSlices(dispatcher.poolUse)
  const source: ExpandSource = {
    segmentOf: options.segmentOf,
    takeSnapshot: (tx, key) => snapshotCampaign(tx, key, options.trackingBaseOf),
  }
  const lastReported: LastReported = new Map()
  let lease = await takeEngineLease(pool)
  let running: RunningCampaign[] = []
  const stopping = new AbortController()
  const roundRobins = { transactional: createRoundRobin(), bulk: createRoundRobin() }
  const restUntil = new Map<string, number>()
  /** Days of warm-ups that hold nothing more, and until when that is taken for granted. */
  const spentWarmups = new Map<string, number>()
  let renewing: Promise<void> | null = null
  const marked = new Map<string, { at: number; finishedAt: string | null }>()

  const loops = [
    runForever('prepare transactional campaigns', CAMPAIGN_TICK_MS, () => prepare('transactional')),
    runForever('prepare campaigns', CAMPAIGN_TICK_MS, () => prepare('bulk')),
    runForever('follow campaigns', CAMPAIGN_TICK_MS, followCampaigns),
    runForever('look after campaigns', CAMPAIGN_TICK_MS, maintainCampaigns),
    // Apart: a million rows take their time, and a pause of another campaign must not wait for them.
    runForever('cancel what was stopped', CAMPAIGN_TICK_MS, () => cancelOpen(db)),
    runForever('count progress', 0, reportCampaignProgress),
    runForever('send transactional mail', 0, () => send('transactional')),
    runForever('send', 0, () => send('bulk')),
    runForever('tell what waits', 1_000, setWaitReasons),
    runForever('keep mails to their local hours', LOCAL_HOURS_TICK, applyLocalHours),
    runForever('mark who was sent to', 2_000, markMembers),
    runForever('forget old limits', 3_600_000, () => deleteOldBuckets(db)),
  ]

  return {
    async stop() {
      stopping.abort()
      dispatcher.wake()
      await Promise.race([Promise.all(loops), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })])
      const isDrained = await Promise.race([
        dispatcher.close().then(() => true),
        sleep(DRAIN_TIMEOUT_MS, false, { ref: false }),
      ])
      // What could not be brought to its end is for the next engine to recover.
      if (isDrained) await db.deleteFrom('engine').where('lease', '=', lease.id).execute()
      await lease.release()
    },
  }

  /** Does a thing again and again. What fails is tried again: mostly the database is away for a moment. */
  async function runForever(what: string, pause: number, work: () => Promise<void>): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      try {
        await work()
        failures = 0
        if (pause > 0) await rest(pause)
      } catch (error) {
        failures++
        if (failures === 1) logger.error({ err: error }, `The engine could not ${what}; retrying`)
        await rest(Math.min(5_000, 200 * 2 ** failures))
      }
    }
  }

  /** Ends at once when the engine stops. */
  async function rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})
  }

  async function prepare(kind: Kind): Promise<void> {
    if (kind === 'bulk') await startScheduled(db)
    for (const key of await listPreparing(db, kind)) {
      if (stopping.signal.aborted) return
      await expandOrFail(key)
    }
  }

  async function expandOrFail(key: CampaignKey): Promise<void> {
    try {
      if (options.resolveMx) await lookUpReceivers(db, key, options.resolveMx)
      const expansion = await expandCampaign(db, key, source)
      if (expansion) logger.info({ ...key, ...expansion }, 'Campaign expanded')
    } catch (error) {
      if (error instanceof SendingForbidden) return hold(key, error.fault)
      // The others go on; this one is tried again.
      if (!isFault(error)) return logger.error({ ...key, err: error }, 'A campaign could not be expanded')
      logger.warn({ ...key, reason: error.message }, 'Campaign cannot be sent')
      await failCampaign(db, key, 'failed', faultOf(error))
    }
  }

  async function followCampaigns(): Promise<void> {
    const { found, forbidden } = await findAllowed()
    if (spentWarmups.size > 1_000) spentWarmups.clear()
    const blocked = await dispatcher.follow(found)
    // Not before the dispatcher knows of them: their mails would leave as their mail classes were.
    running = found
    for (const { campaign, fault: reason } of [...forbidden, ...blocked]) await hold(campaign, reason)
  }

  /** Running campaigns that may send, and those that may not any more: nothing of these begins from now on. */
  async function findAllowed() {
    const all = await listRunning(db, lease.id, timeSlices)
    const faults = await findSendingFaults(db, all)
    const forbidden = all.flatMap((campaign, index) => {
      const [first] = faults[index] ?? []
      return first ? [{ campaign, fault: first.fault }] : []
    })
    return { found: all.filter((_, index) => faults[index]?.length === 0), forbidden }
  }

  async function hold(key: CampaignKey, reason: Fault): Promise<void> {
    logger.warn({ ...keyFields(key), reason: reason.message }, 'Campaign is held')
    await failCampaign(db, key, 'held', reason)
  }

  async function maintainCampaigns(): Promise<void> {
    for (const lost of await recoverDeadEngines(db))
      logger.warn(lost, 'Mails were in flight when an engine died')
    await resendUnknown(db, options.resendAfter ?? RESEND_AFTER_S)
    await finishCampaigns(db)
    await reopenCampaigns(db)
    await giveUpLostLease(lease)
  }

  /** Where the other end of its connection vanished without a word, that still looks open for hours. */
  async function giveUpLostLease(own: EngineLease): Promise<void> {
    if (own.isHeld && !(await isAtWork(db, own.id))) await own.release()
  }

  /** Engines may disagree for a while about a next hop; the campaign says what was found out last. */
  async function setWaitReasons(): Promise<void> {
    const tellAfter = (options.reportWaitAfter ?? REPORT_WAIT_AFTER_S) * 1000
    for (const campaign of running) {
      const route = openRoute(campaign)
      const closed = route && dispatcher.closedFor(route)
      if (closed && closed.since < tellAfter) continue
      const reason = closed && fault('campaign.next_hop', { reply: cleanReply(closed.reason, 400) })
      if (route && (reason?.message ?? null) !== campaign.error) await setWaitReason(db, campaign, reason)
    }
  }

  async function applyLocalHours(): Promise<void> {
    for (const campaign of running.filter(one => one.isLocalTime)) {
      const route = firstRoute(campaign)
      await followLocalHours(db, campaign, route !== null && dispatcher.closedFor(route) === null)
    }
  }

  /** At most twice a second, and no more than a twentieth of the time is spent counting. */
  async function reportCampaignProgress(): Promise<void> {
    const start = performance.now()
    if (await isFirstEngine(db, lease.id)) await reportProgress(db, lastReported)
    await rest(Math.max(500, 20 * (performance.now() - start)))
  }

  /** At once for campaigns that have ended, every few minutes for those that send. */
  async function markMembers(): Promise<void> {
    if (!(await isFirstEngine(db, lease.id))) return
    for (const campaign of await listToMark(db)) {
      if (stopping.signal.aborted) return
      const { finishedAt } = campaign
      const before = marked.get(keyOf(campaign))
      const now = performance.now()
      // One that has run again, for mails that were unknown, has ended anew.
      if (before?.finishedAt === finishedAt && (finishedAt !== null || now - before.at < MARK_PAUSE)) continue
      await markSent(db, campaign)
      marked.set(keyOf(campaign), { at: now, finishedAt })
    }
  }

  /** Claims and hands over for campaigns of one kind: each kind has a loop and slots of its own, so that neither waits. */
  async function send(kind: Kind): Promise<void> {
    if (!lease.isHeld) await renewOnce()
    const now = performance.now()
    const ready = roundRobins[kind]
      .order(running.filter(campaign => campaign.isTransactional === (kind === 'transactional')))
      .flatMap(campaign => {
        const route = openRoute(campaign)
        return route && (restUntil.get(keyOf(campaign)) ?? 0) <= now ? [{ campaign, route }] : []
      })
    const slots = slotsFor(kind, ready)
    const wanted = ready.flatMap(({ campaign, route }, index) => {
      const limit = slots[index] ?? 0
      return limit > 0 ? [{ campaign, route, quota: quotaOf(campaign, route, limit) }] : []
    })
    if (wanted.length === 0) return dispatcher.untilRoom(REST_MS[kind])
    // The other loop may have renewed it by the time the rows are there.
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
    roundRobins[kind].record(
      claimed.map(({ campaign, own }) => ({ ...keyFields(campaign), mails: own.length })),
    )
    for (const { campaign, route, quota, own } of claimed) {
      if (own.length < quota.limit) restUntil.set(keyOf(campaign), performance.now() + REST_MS[kind])
      if (route.warmup && available.get(route.warmup.name) === 0)
        spentWarmups.set(dayOf(route.warmup), performance.now() + SPENT_FOR)
      if (own.length > 0) dispatch(campaign, route, own, id)
    }
  }

  /** Slots for each campaign; those of one connection pool share its room. */
  function slotsFor(
    kind: Kind,
    ready: readonly { campaign: RunningCampaign; route: SendingRoute }[],
  ): number[] {
    const held = dispatcher.held(kind)
    const free = MOST_HELD[kind] - [...held.values()].reduce((sum, rows) => sum + rows, 0)
    const sharers = Map.groupBy(ready, ({ route }) => route.pool)
    const demands = ready.map(({ campaign, route }) => ({
      ...keyFields(campaign),
      room: Math.ceil(dispatcher.roomFor(route) / (sharers.get(route.pool)?.length ?? 1)),
    }))
    return divideSlots(free, demands, clientId => free - (held.get(clientId) ?? 0))
  }

  function openRoute(campaign: RunningCampaign): SendingRoute | null {
    return campaign.isQuiet ? null : firstRoute(campaign)
  }

  /** The first route that is open: not in quarantine, and with something left of a warm-up's day. */
  function firstRoute(campaign: RunningCampaign): SendingRoute | null {
    const now = performance.now()
    const isSpent = (warmup: TokenBucket) => (spentWarmups.get(dayOf(warmup)) ?? 0) > now
    const isOpen = (route: SendingRoute) => !route.isQuarantined && !(route.warmup && isSpent(route.warmup))
    return campaign.routes.find(isOpen) ?? null
  }

  function quotaOf(campaign: RunningCampaign, route: SendingRoute, limit: number): ClaimQuota {
    return {
      ...keyFields(campaign),
      limit,
      buckets: [...campaign.buckets, ...route.buckets],
      receivers: route.receivers
        .filter(receiver => !route.closed.includes(receiver.providerId))
        .map(receiver => ({
          providerId: receiver.providerId,
          limit: Math.min(limit, dispatcher.roomForReceiver(receiver)),
          buckets: receiver.buckets,
        })),
      closed: route.closed,
    }
  }

  function dispatch(
    campaign: RunningCampaign,
    route: SendingRoute,
    rows: ClaimedRow[],
    leaseId: string,
  ): void {
    dispatcher
      .dispatch(campaign, route, rows, leaseId)
      .catch(async (error: unknown) => {
        if (!isFault(error)) throw error
        // Some of its people have it already, the others are to get it once that is fixed.
        await hold(campaign, faultOf(error))
      })
      .catch((err: unknown) => logger.error({ err }, 'Mails could not be handed over; retrying'))
  }

  /** Both loops find out that the lease is gone; one renews it. */
  function renewOnce(): Promise<void> {
    renewing ??= renewLease(lease)
      .then(renewed => {
        lease = renewed
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }

  async function renewLease(old: EngineLease): Promise<EngineLease> {
    logger.warn({ lease: old.id }, 'The engine lost its connection; it goes on under a new identity')
    await old.release()
    return takeEngineLease(pool)
  }
}

type CampaignError = CampaignFault | ContentError | HeaderError | DkimKeyError | EmmaError

/** Faults of the campaign itself, with words for its owner. */
function isFault(error: unknown): error is CampaignError {
  return [CampaignFault, ContentError, HeaderError, DkimKeyError, EmmaError].some(
    kind => error instanceof kind,
  )
}

function faultOf(error: CampaignError): Fault {
  if (error instanceof ContentError) return contentFault(error)
  if (!(error instanceof EmmaError)) return error.fault
  // Of all that is refused as invalid, only the rules of a segment reach a campaign that is being prepared.
  if (error.fault === null || error.code === 'invalid')
    return fault('campaign.segment_faulty', { faults: error.message })
  return error.fault
}

function contentFault({ errors }: ContentError): Fault {
  const faults = errors.map(({ part, line, column, fault: inner }) =>
    fault('campaign.content', { part, line, column, fault: inner }),
  )
  const [first] = faults
  return first && faults.length === 1 ? first : fault('campaign.contents', { faults })
}

/** A day of a warm-up, as long as its volume is not changed. */
function dayOf(warmup: TokenBucket): string {
  return JSON.stringify(warmup)
}

function keyFields({ clientId, campaignId }: CampaignKey): CampaignKey {
  return { clientId, campaignId }
}
