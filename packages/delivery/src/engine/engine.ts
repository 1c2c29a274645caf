import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '@emma/contract/faults.ts'
import { cancelOpen } from '@emma/core/campaigns/cancel-open.ts'
import { decideSplits } from '@emma/core/campaigns/split/decide-split.ts'
import { findSendingFaults } from '@emma/core/campaigns/sending-faults.ts'
import type { FetchFeed } from '@emma/core/content/feeds.ts'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import type { ExpandSource } from '../1-expand/expand-campaign.ts'
import { resumeOpenCampaigns } from '../1-expand/open-campaign.ts'
import type { ResolveMx } from '../1-expand/look-up-receivers.ts'
import { releaseRest } from '../1-expand/release-rest.ts'
import { createTimeSlices } from '../2-claim/connection-time-slices.ts'
import { isFirstEngine } from '../2-claim/engine-lease.ts'
import { followLocalHours } from '../2-claim/local-hours.ts'
import { deleteOldBuckets } from '../2-claim/rate-limits.ts'
import type { Outgoing } from '../4-deliver/transport.ts'
import { finishCampaigns, reopenCampaigns, startScheduled } from '../5-record/close-campaigns.ts'
import { recoverDeadEngines } from '../5-record/recover-dead-engines.ts'
import { reportProgress, type LastReported } from '../5-record/report-progress.ts'
import { resendUnknown } from '../5-record/resolve-unknown.ts'
import { setWaitReason } from '../5-record/set-wait-reason.ts'
import { snapshotCampaign, type TrackingBaseOf } from '../model/campaign-snapshot.ts'
import { cleanReply } from '../model/clean-reply.ts'
import { CampaignClaimer } from './campaign-claimer.ts'
import { createDispatcher } from './dispatcher.ts'
import type { EngineLogger } from './engine-logger.ts'
import { holdCampaign } from './hold-campaign.ts'
import { LeaseHolder } from './lease-holder.ts'
import { Loops } from './loops.ts'
import { MemberMarker } from './member-marker.ts'
import { prepareCampaigns } from './prepare-campaigns.ts'
import { queueProcessMails, queueTransactionalMails } from './queue-mails.ts'
import { listRunning, type RunningCampaign } from './running-campaigns.ts'
import { Signal } from './signal.ts'

export interface EngineOptions {
  db: Db
  /** Reserves one connection for the engine's lease. */
  pool: Pool
  logger: EngineLogger
  segmentOf: ExpandSource['segmentOf']
  trackingBaseOf: TrackingBaseOf
  tokenKey: KeyObject
  /** Decrypts DKIM keys and SMTP passwords. */
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  /** HELO name of this machine. */
  helo: string
  /** Direct delivery and ESPs; mail classes that need them are held without. */
  outgoing?: Outgoing | undefined
  /** Looks up mail exchangers; without it, receivers are identified by domain only. */
  resolveMx?: ResolveMx
  /** Fetches the feeds of a campaign; without it, their last copies are sent. */
  fetchFeed?: FetchFeed
  /** Contents of attachments; without it, campaigns that need them are held. */
  files?: Pick<FileStorage, 'get'> | undefined
  /** Fetches the data of single recipients, with narrower limits. */
  fetchPersonal?: FetchFeed
  /** Seconds after which unknown messages are resent if the campaign allows it; default 60. */
  resendAfter?: number
  /** Seconds after which a campaign gets a wait reason; default 15. */
  reportWaitAfter?: number
  /** Factors for retry delays. */
  retryScale?: { testbed: number; smtp: number }
}

export interface Engine {
  /** Stops claiming, waits for messages in flight (at most 20 s) and records them. */
  stop(): Promise<void>
}

/**
 * Milliseconds between looks for something to send, and between checks of sending campaigns: a pause takes effect within
 * this time.
 */
const CAMPAIGN_TICK_MS = 250

/** Milliseconds between checks of campaigns none of which has anything to send: half of the cost of an idle engine. */
const IDLE_TICK_MS = 1_000

/** Milliseconds since a mail was due, in which the last ones are answered. */
const BUSY_FOR_MS = 5_000

const DRAIN_TIMEOUT_MS = 20_000

/** Longer than an engine waits before it reconnects to its database. */
const RESEND_AFTER_S = 60

/** Seconds without a notification, in which a restarted receiver is back. */
const REPORT_WAIT_AFTER_S = 15

/** Milliseconds between runs that keep local-time campaigns to their hours. */
const LOCAL_HOURS_TICK = 5_000

/** Milliseconds between looks at A/B tests: a winner that a user chose is sent within this time. */
const SPLIT_TICK_MS = 500

/** Milliseconds between attempts to resume held process mails and transactional emails. */
const RESUME_TICK_MS = 60_000

/** Starts an engine: expands, claims, renders, delivers, records. Effects of events are core's. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { db, pool, logger } = options
  const dispatcher = createDispatcher(options)
  const timeSlices = createTimeSlices(dispatcher.poolUse)
  const source: ExpandSource = {
    segmentOf: options.segmentOf,
    takeSnapshot: (tx, key) => snapshotCampaign(tx, key, options.trackingBaseOf),
  }
  const lastReported: LastReported = new Map()
  const lease = await LeaseHolder.take(pool, logger)
  const claimer = new CampaignClaimer({ db, logger, dispatcher, lease })
  const marker = new MemberMarker()
  const loops = new Loops(logger)
  const isStopping = () => loops.isStopping
  const preparing = { db, logger, source, resolveMx: options.resolveMx, fetchFeed: options.fetchFeed }
  /** There are new rows in the ledger. */
  const hasAdded = new Signal()
  let running: RunningCampaign[] = []
  let busyUntil = performance.now()
  /** Of what depends on running campaigns. */
  const tickMs = () => (performance.now() < busyUntil ? CAMPAIGN_TICK_MS : IDLE_TICK_MS)

  loops.start('prepare transactional campaigns', CAMPAIGN_TICK_MS, () =>
    sendAdded(() => prepareCampaigns(preparing, 'transactional', isStopping)),
  )
  loops.start('prepare campaigns', CAMPAIGN_TICK_MS, () =>
    sendAdded(() => prepareCampaigns(preparing, 'bulk', isStopping)),
  )
  loops.start('start scheduled campaigns', IDLE_TICK_MS, () => startScheduled(db))
  loops.start('queue process mails', CAMPAIGN_TICK_MS, () =>
    sendAdded(() => queueProcessMails(options, isStopping)),
  )
  loops.start('queue transactional emails', CAMPAIGN_TICK_MS, () =>
    sendAdded(() => queueTransactionalMails(options, isStopping)),
  )
  loops.start('resume open campaigns', RESUME_TICK_MS, () => resumeOpenCampaigns(db))
  loops.start('follow campaigns', 0, followCampaigns)
  loops.start('look after campaigns', 0, maintainCampaigns)
  // A separate loop: a million rows take time, and pausing another campaign must not wait.
  loops.start('cancel what was stopped', CAMPAIGN_TICK_MS, () => cancelOpen(db))
  loops.start('count progress', 0, reportCampaignProgress)
  // Each kind has its own loop and slots, so that neither waits.
  loops.start('send transactional mail', 0, () => claimer.claim('transactional', running))
  loops.start('send', 0, () => claimer.claim('bulk', running))
  loops.start('tell what waits', 1_000, setWaitReasons)
  loops.start('decide A/B tests', SPLIT_TICK_MS, () => decideSplits(db))
  loops.start('release the rest of A/B tests', SPLIT_TICK_MS, () => releaseRest(db, isStopping))
  loops.start('keep mails to their local hours', LOCAL_HOURS_TICK, applyLocalHours)
  loops.start('mark who was sent to', 2_000, markMembers)
  loops.start('forget old limits', 3_600_000, () => deleteOldBuckets(db))

  return {
    async stop() {
      const ended = loops.stop()
      dispatcher.wake()
      hasAdded.wake()
      await Promise.race([ended, sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })])
      const isDrained = await Promise.race([
        dispatcher.close().then(() => true),
        sleep(DRAIN_TIMEOUT_MS, false, { ref: false }),
      ])
      await holdRefused().catch((err: unknown) =>
        logger.error({ err }, 'A campaign that receivers refuse could not be held'),
      )
      // Unfinished rows are recovered by the next engine.
      if (isDrained) await db.deleteFrom('engine').where('lease', '=', lease.id).execute()
      await lease.release()
    },
  }

  async function followCampaigns(): Promise<void> {
    await holdRefused()
    const { found, forbidden } = await findAllowed()
    claimer.forgetExpired()
    const blocked = await dispatcher.follow(found)
    // After the dispatcher knows them: otherwise their messages would use the old mail classes.
    running = found
    for (const { campaign, fault: reason } of [...forbidden, ...blocked])
      await holdCampaign(db, logger, campaign, reason)
    if (running.some(campaign => campaign.hasDue)) busyUntil = performance.now() + BUSY_FOR_MS
    await hasAdded.wait(tickMs())
  }

  /** Looks at the campaigns at once after `add` has added rows to the ledger. */
  async function sendAdded(add: () => Promise<number>): Promise<void> {
    if ((await add()) > 0) hasAdded.wake()
  }

  /** Campaigns that receivers reject for their own faults: the dispatcher sends nothing more of them. */
  async function holdRefused(): Promise<void> {
    for (const { campaign, reply } of dispatcher.takeRefused()) {
      const reason = fault('campaign.sender_refused', { reply: cleanReply(reply, 400) })
      await holdCampaign(db, logger, campaign, reason)
    }
  }

  /** Returns the running campaigns that may send, and those that may not any more, of which nothing more is sent. */
  async function findAllowed() {
    const all = await listRunning(db, lease.id, timeSlices)
    const faults = await findSendingFaults(db, all)
    const forbidden = all.flatMap((campaign, index) => {
      const [first] = faults[index] ?? []
      return first ? [{ campaign, fault: first.fault }] : []
    })
    return { found: all.filter((_, index) => faults[index]?.length === 0), forbidden }
  }

  async function maintainCampaigns(): Promise<void> {
    for (const lost of await recoverDeadEngines(db))
      logger.warn(lost, 'Mails were in flight when an engine died')
    await resendUnknown(db, options.resendAfter ?? RESEND_AFTER_S)
    await finishCampaigns(db)
    await reopenCampaigns(db)
    await lease.giveUpLost(db)
    await loops.rest(tickMs())
  }

  /** Engines may temporarily disagree about a next hop; the last report wins. */
  async function setWaitReasons(): Promise<void> {
    const tellAfter = (options.reportWaitAfter ?? REPORT_WAIT_AFTER_S) * 1000
    for (const campaign of running) {
      const route = claimer.openRoute(campaign)
      const closed = route && dispatcher.closedFor(route)
      if (closed && closed.since < tellAfter) continue
      const reason = closed && fault('campaign.next_hop', { reply: cleanReply(closed.reason, 400) })
      if (route && (reason?.message ?? null) !== campaign.error) await setWaitReason(db, campaign, reason)
    }
  }

  async function applyLocalHours(): Promise<void> {
    for (const campaign of running.filter(one => one.hasOwnHours)) {
      const route = claimer.firstRoute(campaign)
      await followLocalHours(db, campaign, route !== null && dispatcher.closedFor(route) === null)
    }
  }

  /** At most twice a second, and at most a twentieth of the time is spent counting. */
  async function reportCampaignProgress(): Promise<void> {
    const start = performance.now()
    if (await isFirstEngine(db, lease.id)) await reportProgress(db, lastReported)
    await loops.rest(Math.max(500, tickMs(), 20 * (performance.now() - start)))
  }

  async function markMembers(): Promise<void> {
    if (await isFirstEngine(db, lease.id)) await marker.mark(db, isStopping)
  }
}
