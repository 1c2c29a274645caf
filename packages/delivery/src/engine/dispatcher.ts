import type { KeyObject } from 'node:crypto'
import { fault } from '@emma/contract/faults.ts'
import type { FetchFeed } from '@emma/core/content/feeds.ts'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import { findDuplicates, followAddresses } from '../2-claim/follow-addresses.ts'
import { readMailRecipients } from '../2-claim/read-mail-recipients.ts'
import { readRecipients } from '../2-claim/read-recipients.ts'
import type { PoolUse } from '../2-claim/connection-time-slices.ts'
import type { ReceiverLimit, SendingRoute } from '../2-claim/sending-routes.ts'
import type { CompiledCampaign } from '../3-render/compile-campaign.ts'
import type { Outgoing } from '../4-deliver/transport.ts'
import { keyOf } from '../model/campaign-key.ts'
import { CampaignFault } from '../model/campaign-snapshot.ts'
import type { Kind } from '../model/kind.ts'
import type { ClaimedRow } from '../model/outcome.ts'
import { ClaimedBatch } from './claimed-batch.ts'
import { CompiledCampaigns } from './compiled-campaigns.ts'
import { type BlockedCampaign, createConnectionPools } from './connection-pools.ts'
import type { EngineLogger } from './engine-logger.ts'
import { HeldRows } from './held-rows.ts'
import { MailSender, type OutgoingMail } from './mail-sender.ts'
import { attachmentStore, OwnAttachmentsReader } from './own-attachments.ts'
import { PersonalData } from './personal-data.ts'
import { createReceiverConcurrency } from './receiver-concurrency.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createReplyRules } from './reply-rules.ts'
import type { RunningCampaign } from './running-campaigns.ts'
import { type RefusedCampaign, SendingCampaigns } from './sending-campaigns.ts'
import { Signal } from './signal.ts'

export interface DispatcherOptions {
  db: Db
  pool: Pool
  logger: EngineLogger
  tokenKey: KeyObject
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  outgoing?: Outgoing | undefined
  files?: Pick<FileStorage, 'get'> | undefined
  /** Fetches the data of single recipients; without it, they have none. */
  fetchPersonal?: FetchFeed | undefined
  retryScale?: { testbed: number; smtp: number }
}

/** Renders, delivers and records claimed rows. */
export interface Dispatcher {
  /** Claimed rows without outcome, by client. */
  held(kind: Kind): ReadonlyMap<number, number>
  /** Returns the number of rows a sending route can take now. */
  roomFor(route: SendingRoute): number
  /** Returns the number of rows a receiver with a limit can take now. */
  roomForReceiver(receiver: ReceiverLimit): number
  /**
   * Returns why a sending route accepts no mail, and since when in milliseconds; null if it does, as far as known.
   */
  closedFor(route: SendingRoute): { reason: string; since: number } | null
  /** State of the connections, by connection pool. */
  poolUse: PoolUse
  /** Brings all rows to a recorded outcome. If the campaign is at fault, releases them and rejects. */
  dispatch(
    campaign: RunningCampaign,
    route: SendingRoute,
    rows: readonly ClaimedRow[],
    lease: string,
  ): Promise<void>
  /** Resolves when there may be room again, or after that many milliseconds. */
  untilRoom(most: number): Promise<void>
  wake(): void
  /** Drops what no running campaign needs, applies changed settings, and returns the campaigns that cannot send. */
  follow(running: readonly RunningCampaign[]): Promise<BlockedCampaign[]>
  /**
   * Returns campaigns that receivers reject for their own faults, each once: nothing more of them is sent, and they
   * are to be held.
   */
  takeRefused(): RefusedCampaign[]
  close(): Promise<void>
}

/** Rows rendered and signed in advance, as a multiple of the transport's capacity. */
const RENDERED = 2

/**
 * Real retries wait 5 minutes and more. In the testbed a day takes 40 seconds: a full mailbox is given up after 75
 * seconds instead of 45 hours.
 */
const RETRY_SCALE = { testbed: 40 / 86_400, smtp: 1 }

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, pool, logger, tokenKey } = options
  const retryScales = options.retryScale ?? RETRY_SCALE
  const connectionPools = createConnectionPools({ ...options, openSecret })
  const compiled = new CompiledCampaigns(db, openSecret, options.files)
  const recorders = new Map<string, Recorder>()
  const receiverConcurrency = createReceiverConcurrency()
  const replyRules = createReplyRules(db, logger)
  const campaigns = new SendingCampaigns()
  const personalData = new PersonalData(options.fetchPersonal)
  const sender = new MailSender({
    tokenKey,
    campaigns,
    connectionPools,
    receiverConcurrency,
    replyRules,
    personalData,
    ownAttachments: new OwnAttachmentsReader(attachmentStore(db)),
  })
  const held = new HeldRows()
  /** Connections may have free capacity again. */
  const room = new Signal()
  const dispatching = new Set<Promise<void>>()

  return {
    held: kind => held.of(kind),
    roomFor: route => connectionPools.roomFor(route),
    roomForReceiver: receiver => receiverConcurrency.roomFor(receiver),
    closedFor: route => connectionPools.closedFor(route),
    poolUse: connectionPools.use,
    dispatch(...what) {
      const work: Promise<void> = dispatch(...what).finally(() => dispatching.delete(work))
      dispatching.add(work)
      return work
    },
    untilRoom: most => room.wait(most),
    wake: () => room.wake(),
    async follow(running) {
      campaigns.follow(running)
      receiverConcurrency.follow(running.flatMap(campaign => campaign.routes))
      await replyRules.refresh()
      compiled.keepOnly(new Set(running.map(keyOf)))
      return connectionPools.follow(running)
    },
    takeRefused: () => campaigns.takeRefused(),
    async close() {
      sender.close()
      await connectionPools.close()
      // Rows whose recipients are still being read have no connection yet.
      await Promise.allSettled(dispatching)
      await Promise.all([...recorders.values()].map(recorder => recorder.drained()))
      await replyRules.drained()
    },
  }

  /** A secret encrypted with another key only affects the campaigns that need it. */
  function openSecret(sealed: Buffer): string {
    try {
      return options.openSecret(sealed)
    } catch {
      throw new CampaignFault(fault('campaign.secret_sealed'))
    }
  }

  async function dispatch(
    campaign: RunningCampaign,
    route: SendingRoute,
    rows: readonly ClaimedRow[],
    lease: string,
  ): Promise<void> {
    const connections = connectionPools.of(route)
    const recorder = recorderFor(lease)
    const retryScale = connections?.transport.name === 'testbed' ? retryScales.testbed : retryScales.smtp
    const batch = new ClaimedBatch(
      { db, logger, held, receiverConcurrency, room },
      { campaign, route, rows, connections, recorder, retryScale },
    )
    try {
      if (!connections) return
      const form = await compiled.of(campaign)
      const recipients = await findRecipients(batch, form, rows, lease)
      await sendAll(
        recipients.map(recipient => ({ batch, form, connections, recipient })),
        RENDERED * connections.transport.capacity,
      )
    } catch (error) {
      if (connections) connectionPools.rest(connections, String(error))
      throw error
    } finally {
      await batch.returnRest()
    }
  }

  /** Recipients with their current data. Rows whose member has a new address are released, or skipped as duplicates. */
  async function findRecipients(
    batch: ClaimedBatch,
    form: CompiledCampaign,
    rows: readonly ClaimedRow[],
    lease: string,
  ): Promise<OutgoingMail['recipient'][]> {
    const { clientId, memberTableId, blacklistIds } = batch.campaign
    const { process, transactional } = form.snapshot.campaign
    const hasLanguages = [form, ...form.variants].some(({ languages }) => languages.size > 0)
    if (transactional)
      return readMailRecipients(
        db,
        clientId,
        { memberTableId: form.snapshot.memberTableId, hasLanguages },
        rows,
      )
    const source = {
      memberTableId,
      blacklistIds,
      columns: form.memberNames,
      process,
      hasLanguages,
    }
    const found = await readRecipients(db, clientId, source, rows)
    const moved = found.flatMap(recipient => ('movedTo' in recipient ? [recipient] : []))
    const duplicates = await findDuplicates(db, batch.campaign, moved)
    await Promise.all([...duplicates].map(row => batch.settle(row, { kind: 'skipped', reason: 'duplicate' })))
    const followed = moved.filter(({ row }) => !duplicates.has(row))
    await followAddresses(db, lease, followed)
    return found.flatMap(recipient => ('movedTo' in recipient ? [] : [recipient]))
  }

  /** Sends at most `most` messages to each receiver at a time: a receiver with low concurrency must not delay the others. */
  async function sendAll(mails: readonly OutgoingMail[], most: number): Promise<void> {
    const groups = Map.groupBy(mails, ({ batch, recipient }) => batch.receiverOf(recipient.row))
    const workers = [...groups.values()].flatMap(group => {
      const queue = group.values()
      const worker = async () => {
        for (const mail of queue) await sender.send(mail)
      }
      return Array.from({ length: Math.min(group.length, most) }, worker)
    })
    const results = await Promise.allSettled(workers)
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  function recorderFor(lease: string): Recorder {
    const existing = recorders.get(lease)
    if (existing) return existing
    const created = createRecorder({ db, pool }, lease, logger)
    recorders.set(lease, created)
    return created
  }
}
