import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '@emma/contract/faults.ts'
import { cancelOpen } from '@emma/core/campaigns/cancel-open.ts'
import { findSendingFaults } from '@emma/core/campaigns/sending-faults.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import type { ExpandSource } from '../1-expand/expand-campaign.ts'
import type { ResolveMx } from '../1-expand/look-up-receivers.ts'
import { createTimeSlices } from '../2-claim/connection-time-slices.ts'
import { isFirstEngine } from '../2-claim/engine-lease.ts'
import { followLocalHours } from '../2-claim/local-hours.ts'
import { deleteOldBuckets } from '../2-claim/rate-limits.ts'
import type { Outgoing } from '../4-deliver/transport.ts'
import { finishCampaigns, reopenCampaigns } from '../5-record/close-campaigns.ts'
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
import { listRunning, type RunningCampaign } from './running-campaigns.ts'

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

export interface Engine {
  /** Claims nothing more, brings what is on its way to its end (at most 20 s), records it. */
  stop(): Promise<void>
}

/** How often states of campaigns are looked at: a pause or a stop is honoured within this. */
const CAMPAIGN_TICK_MS = 250

const DRAIN_TIMEOUT_MS = 20_000

/** Longer than an engine waits before it tries its database again. */
const RESEND_AFTER_S = 60

/** A receiver that is started again is back before anybody is told, in seconds. */
const REPORT_WAIT_AFTER_S = 15

/** How often mails in local time are kept to their hours. */
const LOCAL_HOURS_TICK = 5_000

/** The five stages at work: expands, claims, renders, delivers, records. What follows from events is core's. */
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
  const preparing = { db, logger, source, resolveMx: options.resolveMx }
  let running: RunningCampaign[] = []

  loops.start('prepare transactional campaigns', CAMPAIGN_TICK_MS, () =>
    prepareCampaigns(preparing, 'transactional', isStopping),
  )
  loops.start('prepare campaigns', CAMPAIGN_TICK_MS, () => prepareCampaigns(preparing, 'bulk', isStopping))
  loops.start('follow campaigns', CAMPAIGN_TICK_MS, followCampaigns)
  loops.start('look after campaigns', CAMPAIGN_TICK_MS, maintainCampaigns)
  // Apart: a million rows take their time, and a pause of another campaign must not wait for them.
  loops.start('cancel what was stopped', CAMPAIGN_TICK_MS, () => cancelOpen(db))
  loops.start('count progress', 0, reportCampaignProgress)
  // Each kind has a loop and slots of its own, so that neither waits.
  loops.start('send transactional mail', 0, () => claimer.claim('transactional', running))
  loops.start('send', 0, () => claimer.claim('bulk', running))
  loops.start('tell what waits', 1_000, setWaitReasons)
  loops.start('keep mails to their local hours', LOCAL_HOURS_TICK, applyLocalHours)
  loops.start('mark who was sent to', 2_000, markMembers)
  loops.start('forget old limits', 3_600_000, () => deleteOldBuckets(db))

  return {
    async stop() {
      const ended = loops.stop()
      dispatcher.wake()
      await Promise.race([ended, sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })])
      const isDrained = await Promise.race([
        dispatcher.close().then(() => true),
        sleep(DRAIN_TIMEOUT_MS, false, { ref: false }),
      ])
      await holdRefused().catch((err: unknown) =>
        logger.error({ err }, 'A campaign that receivers refuse could not be held'),
      )
      // What could not be brought to its end is for the next engine to recover.
      if (isDrained) await db.deleteFrom('engine').where('lease', '=', lease.id).execute()
      await lease.release()
    },
  }

  async function followCampaigns(): Promise<void> {
    await holdRefused()
    const { found, forbidden } = await findAllowed()
    claimer.forgetOldWarmups()
    const blocked = await dispatcher.follow(found)
    // Not before the dispatcher knows of them: their mails would leave as their mail classes were.
    running = found
    for (const { campaign, fault: reason } of [...forbidden, ...blocked])
      await holdCampaign(db, logger, campaign, reason)
  }

  /** Campaigns that receivers refuse for their own faults: the dispatcher begins nothing more of them. */
  async function holdRefused(): Promise<void> {
    for (const { campaign, reply } of dispatcher.takeRefused()) {
      const reason = fault('campaign.sender_refused', { reply: cleanReply(reply, 400) })
      await holdCampaign(db, logger, campaign, reason)
    }
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

  async function maintainCampaigns(): Promise<void> {
    for (const lost of await recoverDeadEngines(db))
      logger.warn(lost, 'Mails were in flight when an engine died')
    await resendUnknown(db, options.resendAfter ?? RESEND_AFTER_S)
    await finishCampaigns(db)
    await reopenCampaigns(db)
    await lease.giveUpLost(db)
  }

  /** Engines may disagree for a while about a next hop; the campaign says what was found out last. */
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
    for (const campaign of running.filter(one => one.isLocalTime)) {
      const route = claimer.firstRoute(campaign)
      await followLocalHours(db, campaign, route !== null && dispatcher.closedFor(route) === null)
    }
  }

  /** At most twice a second, and no more than a twentieth of the time is spent counting. */
  async function reportCampaignProgress(): Promise<void> {
    const start = performance.now()
    if (await isFirstEngine(db, lease.id)) await reportProgress(db, lastReported)
    await loops.rest(Math.max(500, 20 * (performance.now() - start)))
  }

  async function markMembers(): Promise<void> {
    if (await isFirstEngine(db, lease.id)) await marker.mark(db, isStopping)
  }
}
