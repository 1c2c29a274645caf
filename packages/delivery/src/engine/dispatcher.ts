import type { KeyObject } from 'node:crypto'
import { fault } from '@emma/contract/faults.ts'
import type { Pool, Db } from '@emma/db/connection.ts'
import { HeaderError } from '@emma/mail/mime/header.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import { refundTokens } from '../2-claim/rate-limits.ts'
import { findDuplicates, followAddresses } from '../2-claim/follow-addresses.ts'
import { readRecipients, type Recipient } from '../2-claim/read-recipients.ts'
import type { PoolUse } from '../2-claim/connection-time-slices.ts'
import type { ReceiverLimit, SendingRoute } from '../2-claim/sending-routes.ts'
import { compileCampaign, type CompiledCampaign } from '../3-render/compile-campaign.ts'
import { renderMail } from '../3-render/render-mail.ts'
import type { Outgoing } from '../4-deliver/transport.ts'
import { keyOf } from '../model/campaign-key.ts'
import { CampaignFault } from '../model/campaign-snapshot.ts'
import type { Kind } from '../model/kind.ts'
import { loadDkimKeys } from '../model/dkim-keys.ts'
import { createReceiverConcurrency } from './receiver-concurrency.ts'
import {
  type BlockedCampaign,
  createConnectionPools,
  type ConnectionPool,
  release,
  acquire,
} from './connection-pools.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import type { EngineLogger } from './engine-logger.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createReplyRules } from './reply-rules.ts'
import { type RunningCampaign, readSnapshot } from './running-campaigns.ts'
import { blameSender, SenderFaultCounter, senderFault } from './sender-faults.ts'

export interface DispatcherOptions {
  db: Db
  pool: Pool
  logger: EngineLogger
  tokenKey: KeyObject
  openSecret: (sealed: Buffer) => string
  testbed: { host: string; port: number }
  helo: string
  outgoing?: Outgoing | undefined
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

export interface RefusedCampaign {
  campaign: RunningCampaign
  reply: string
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
  const retryScale = options.retryScale ?? RETRY_SCALE
  const connectionPools = createConnectionPools({ ...options, openSecret })
  const compiled = new Map<string, Promise<CompiledCampaign>>()
  const recorders = new Map<string, Recorder>()
  const receiverConcurrency = createReceiverConcurrency()
  const replyRules = createReplyRules(db, logger)
  const senderFaults = new SenderFaultCounter()
  let running = new Map<string, RunningCampaign>()
  const held = { transactional: new Map<number, number>(), bulk: new Map<number, number>() }
  const refused: RefusedCampaign[] = []
  let isClosing = false
  const sleepers = new Set<() => void>()
  const dispatching = new Set<Promise<void>>()

  return {
    held: kind => held[kind],
    roomFor: route => connectionPools.roomFor(route),
    roomForReceiver: receiver => receiverConcurrency.roomFor(receiver),
    closedFor: route => connectionPools.closedFor(route),
    poolUse: connectionPools.use,
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
    takeRefused: () => refused.splice(0),
    async close() {
      isClosing = true
      await connectionPools.close()
      // Rows whose recipients are still being read have no connection yet.
      await Promise.allSettled(dispatching)
      await Promise.all([...recorders.values()].map(recorder => recorder.drained()))
      await replyRules.drained()
    },
  }

  function wake(): void {
    for (const end of sleepers) end()
  }

  async function follow(campaigns: readonly RunningCampaign[]): Promise<BlockedCampaign[]> {
    // A campaign rejected since it was read is not held yet.
    const isRefused = (key: string) => refused.some(({ campaign }) => keyOf(campaign) === key)
    running = new Map(
      campaigns.map(campaign => [keyOf(campaign), campaign] as const).filter(([key]) => !isRefused(key)),
    )
    receiverConcurrency.follow(campaigns.flatMap(campaign => campaign.routes))
    await replyRules.refresh()
    // Rejections of a campaign that is not held yet still count: its messages in flight are returned.
    senderFaults.keepOnly(new Set(campaigns.map(keyOf)))
    for (const key of compiled.keys()) if (!running.has(key)) compiled.delete(key)
    return connectionPools.follow(campaigns)
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
    const receivers = new Map(route.receivers.map(receiver => [receiver.providerId, receiver]))
    const receiverOf = (row: ClaimedRow) => receivers.get(row.providerId) ?? null
    const recorder = recorderFor(lease)
    const scale = connections?.transport.name === 'testbed' ? retryScale.testbed : retryScale.smtp
    const { resendUnknown } = campaign
    const ofKind = held[campaign.isTransactional ? 'transactional' : 'bulk']
    const holdFor = (count: number) =>
      ofKind.set(campaign.clientId, (ofKind.get(campaign.clientId) ?? 0) + count)
    holdFor(rows.length)
    if (connections) connections.held += rows.length
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
      if (!connections) return
      connections.held--
      connections.settled++
      wake()
    }
    try {
      if (!connections) return
      const form = await compiledFor(campaign)
      const { clientId, memberTableId, blacklistIds } = campaign
      const source = { memberTableId, blacklistIds, columns: form.memberNames }
      const found = await readRecipients(db, clientId, source, rows)
      const moved = found.flatMap(recipient => ('movedTo' in recipient ? [recipient] : []))
      const duplicates = await findDuplicates(db, campaign, moved)
      await Promise.all([...duplicates].map(row => settle(row, { kind: 'skipped', reason: 'duplicate' })))
      await followAddresses(
        db,
        lease,
        moved.filter(({ row }) => !duplicates.has(row)),
      )
      const recipients = found.flatMap(recipient => ('movedTo' in recipient ? [] : [recipient]))
      const common = { campaign, route, form, connections, recorder, settle, scale }
      // Messages to a receiver with low concurrency must not delay the others.
      const groups = Map.groupBy(recipients, ({ row }) => receiverOf(row))
      const workers = [...groups].flatMap(([receiver, group]) => {
        const queue = group.values()
        const worker = async () => {
          for (const recipient of queue) await deliver({ ...common, recipient, receiver })
        }
        return Array.from(
          { length: Math.min(group.length, RENDERED * connections.transport.capacity) },
          worker,
        )
      })
      const results = await Promise.allSettled(workers)
      for (const result of results) if (result.status === 'rejected') throw result.reason
    } catch (error) {
      if (connections) connectionPools.rest(connections, String(error))
      throw error
    } finally {
      // Unsent rows are released unchanged.
      await Promise.all([...open].map(row => settle(row, RETURNED)))
      await refundTokens(db, [...campaign.buckets, ...route.buckets], owed).catch((err: unknown) =>
        logger.error({ err }, 'A day of a warm-up, or a window, lost what did not leave'),
      )
    }
  }

  /** Sends one message once the journal entry is written. */
  async function deliver(delivery: Delivery): Promise<void> {
    const { campaign, route, form, connections, recorder, recipient, receiver, settle, scale } = delivery
    const { row } = recipient
    const maySend = () => maySendNow(campaign, route, connections, row)
    if ('skip' in recipient) return settle(row, { kind: 'skipped', reason: recipient.skip })
    if (!maySend()) return settle(row, RETURNED)
    const mail = await renderMail(form, { ...row, member: recipient.member }, tokenKey).catch(unrenderable)
    if ('kind' in mail) return settle(row, judge(mail, campaign))
    if (receiver) await receiverConcurrency.acquire(receiver)
    await acquire(connections)
    let settled: Promise<void> | undefined
    try {
      if (maySend() && (await recorder.begin(row))) {
        const outcome = await connections.transport.send(mail.envelope, mail.bytes, row)
        connectionPools.noteAnswer(connections, outcome)
        settled = settle(row, judge(replyRules.evaluate(outcome, { campaign, route, row, scale }), campaign))
      } else settled = settle(row, RETURNED)
    } finally {
      // The next message begins with the journal entry that contains this outcome, or a later one: no entry has more
      // open messages than slots.
      release(connections)
      if (receiver) receiverConcurrency.release(receiver)
    }
    await settled
  }

  /**
   * The rejection that makes a campaign be held is not the recipient's outcome: they get the message when it resumes.
   */
  function judge(decided: Outcome, campaign: RunningCampaign): Outcome {
    const outcome = blameSender(decided)
    if (!senderFaults.record(campaign, outcome)) return outcome
    const reply = senderFault(outcome)
    if (running.delete(keyOf(campaign))) refused.push({ campaign, reply: reply?.text ?? '' })
    return RETURNED
  }

  function holdAt(receiver: ReceiverLimit | null, rows: number): void {
    if (receiver) receiverConcurrency.hold(receiver, rows)
  }

  /**
   * False if the campaign is paused or in its quiet hours, the engine stops, the next hop is unreachable or the
   * receiver is paused.
   */
  function maySendNow(
    campaign: RunningCampaign,
    route: SendingRoute,
    connections: ConnectionPool,
    row: ClaimedRow,
  ): boolean {
    const now = running.get(keyOf(campaign))
    // Its connections were reassigned or reopened.
    if (connectionPools.of(route) !== connections) return false
    if (isClosing || !now || now.isQuiet || performance.now() < connections.closedUntil) return false
    const routeNow = now.routes.find(one => one.pool === route.pool)
    return routeNow !== undefined && !routeNow.isQuarantined && !routeNow.closed.includes(row.providerId)
  }

  function recorderFor(lease: string): Recorder {
    const existing = recorders.get(lease)
    if (existing) return existing
    const created = createRecorder({ db, pool }, lease, logger)
    recorders.set(lease, created)
    return created
  }

  function compiledFor(campaign: RunningCampaign): Promise<CompiledCampaign> {
    const key = keyOf(campaign)
    const existing = compiled.get(key)
    if (existing) return existing
    const created = compile(campaign)
    compiled.set(key, created)
    created.catch(() => compiled.delete(key))
    return created
  }

  async function compile(campaign: RunningCampaign): Promise<CompiledCampaign> {
    const snapshot = await readSnapshot(db, campaign)
    if (!snapshot) throw new CampaignFault(fault('campaign.not_prepared'))
    const keys = await loadDkimKeys(db, campaign.clientId, snapshot.domain, openSecret)
    if (keys.length === 0) throw new CampaignFault(fault('campaign.no_key', { domain: snapshot.domain.name }))
    return compileCampaign(snapshot, keys)
  }
}

interface Delivery {
  campaign: RunningCampaign
  route: SendingRoute
  form: CompiledCampaign
  connections: ConnectionPool
  recorder: Recorder
  recipient: Exclude<Recipient, { movedTo: string }>
  /** Receiver, if it has limits. */
  receiver: ReceiverLimit | null
  /** Factor for retry delays. */
  scale: number
  settle: (row: ClaimedRow, outcome: Outcome) => Promise<void>
}

const RETURNED: Outcome = { kind: 'returned', text: '' }

/** A message that cannot be rendered is rejected; the others of the campaign are unaffected. */
function unrenderable(error: unknown): Outcome {
  if (!(error instanceof RenderError) && !(error instanceof HeaderError)) throw error
  const reply = { code: null, enhanced: null, text: error.message, class: 'content', hard: false } as const
  return { kind: 'rejected', reply, isSenderFault: true }
}
