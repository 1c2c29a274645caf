import type { CampaignQueue, Wait, WaitCode } from '@emma/contract/actions/campaign-queue.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { type ActiveAction, actionsOn } from '../../deliverability/limits/active-actions.ts'
import { isExhausted } from '../../deliverability/limits/read-buckets.ts'
import {
  type RateLimit,
  receiverLimits,
  routeConnections,
  routeRates,
} from '../../deliverability/limits/route-limits.ts'
import { bucketsOf, type TokenBucket } from '../../deliverability/limits/token-bucket.ts'
import { warmupName, warmupOf } from '../../deliverability/limits/warmup-day.ts'
import type { RouteLimitsRow } from '../../deliverability/volume/read-route-limits.ts'
import type { Campaign } from '../campaign-operations.ts'
import type { CountedQueue, ProviderQueue } from './count-queue.ts'
import type { QueueLimits } from './read-queue-limits.ts'

/** A campaign with its queue and what may hold it back. */
export interface QueueState {
  campaign: Pick<Campaign, 'valid' | 'local_time' | 'learned_time' | 'error'>
  queue: CountedQueue
  limits: QueueLimits
}

/** What holds all emails of the campaign back. A campaign that does not run waits for its users. */
export function campaignWaits({ campaign, queue, limits }: QueueState): Wait[] {
  if (campaign.valid !== campaignState.running) return []
  const { rate, window, domainWarmup, quiet, dayEnds, hasEngine } = limits
  const isDue = queue.providers.some(provider => provider.isDue)
  const { nextDue, hasUndecided } = queue
  const hours = hoursOf(campaign)
  return [
    ...(hasEngine ? [] : [wait('no_engine')]),
    ...(quiet ? [wait('quiet_hours', quiet)] : []),
    ...(hours !== null && nextDue !== null && !isDue ? [wait(hours, { until: nextDue })] : []),
    ...(hasUndecided ? [wait('split')] : []),
    ...(isDue && rate && isFull(limits, rate.bucket)
      ? [wait('campaign_rate', { limit: rate.rate.mails, unit: rate.rate.unit })]
      : []),
    ...(isDue && window && isFull(limits, window) ? [windowWait(limits, window)] : []),
    ...(domainWarmup && isFull(limits, domainWarmup)
      ? [wait('domain_warmup', { until: dayEnds, limit: domainWarmup.volume })]
      : []),
  ]
}

/** Which hours of their own the recipients have; null: none. */
function hoursOf({ local_time, learned_time }: QueueState['campaign']): 'learned_time' | 'local_time' | null {
  if (learned_time !== null) return 'learned_time'
  return local_time ? 'local_time' : null
}

/** The route that the engine takes now: not quarantined, and with volume left for the warm-up day; undefined: none. */
export function usedRoute(limits: QueueLimits): RouteLimitsRow | undefined {
  return limits.routes.find(route => stopsOf(limits, route).length === 0)
}

/** Volume of a route's warm-up day, and what was sent of it; null without. */
export function warmupOfRoute(
  limits: QueueLimits,
  route: RouteLimitsRow,
): CampaignQueue['routes'][number]['warmup'] {
  const warmup = warmupBucket(route)
  if (!warmup) return null
  const { tokens = 0 } = limits.buckets.get(warmup.name) ?? {}
  return { volume: warmup.volume, sent: Math.max(0, Math.round(-tokens)) }
}

/** What holds emails back on a route: it is stopped, its rates are used up, or its connections are busy. */
export function routeWaits(state: QueueState, route: RouteLimitsRow): Wait[] {
  const { campaign, queue, limits } = state
  if (campaign.valid !== campaignState.running) return []
  const stops = stopsOf(limits, route)
  if (stops.length > 0 || route !== usedRoute(limits)) return stops
  if (!queue.providers.some(({ isDue }) => isDue)) return []
  const rates = exhausted(limits, routeRates(route, [...limits.routes, ...limits.running]))
  const isHeld = campaign.error !== null || campaignWaits(state).some(({ code }) => code !== 'split')
  if (rates.length > 0 || isHeld) return rates
  return queue.providers.some(each => each.isDue && limitsOfProvider(state, each).length === 0)
    ? connectionWaits(limits, route)
    : []
}

/** What holds the emails to one mailbox provider back, besides what holds back all. */
export function providerWaits(state: QueueState, provider: ProviderQueue): Wait[] {
  if (state.campaign.valid !== campaignState.running) return []
  const retry = provider.deferred > 0 ? [wait('retry', { until: provider.nextRetry })] : []
  return [...limitsOfProvider(state, provider), ...retry]
}

function limitsOfProvider({ limits }: QueueState, { providerId, isDue, sending }: ProviderQueue): Wait[] {
  const route = usedRoute(limits)
  if (!route) return []
  const backOffs = actionsOn(route, limits.actions).backOffs.filter(one => one.provider_id === providerId)
  if (backOffs.length > 0) return latest(backOffs).map(one => actionWait('backoff', one))
  if (!isDue) return []
  const receiver = receiverLimits(route, limits.providers).find(each => each.providerId === providerId)
  const rates = exhausted(limits, receiver?.rates ?? [])
  if (rates.length > 0) return rates
  const busy = (receiver?.connections ?? []).filter(({ connections }) => sending >= connections)
  const most = Math.min(...busy.map(({ connections }) => connections))
  return busy.length > 0 ? [wait('provider_connections', { limit: most })] : []
}

/** What stops a route, so that the next one is taken. */
function stopsOf(limits: QueueLimits, route: RouteLimitsRow): Wait[] {
  const warmup = warmupBucket(route)
  return [
    ...latest(actionsOn(route, limits.actions).quarantines).map(one => actionWait('quarantine', one)),
    ...(warmup && isFull(limits, warmup)
      ? [wait('mailclass_warmup', { until: limits.dayEnds, limit: warmup.volume })]
      : []),
  ]
}

function warmupBucket(route: RouteLimitsRow): { name: string; volume: number } | null {
  return warmupOf(warmupName('mailclass', route.client_id, route.mailclass_id), route)
}

/** Of several actions on one object, the one that lasts longest. */
function latest<A extends ActiveAction>(actions: readonly A[]): A[] {
  return actions.toSorted((a, b) => b.until.localeCompare(a.until)).slice(0, 1)
}

function connectionWaits({ routes, running, hasOtherClients }: QueueLimits, route: RouteLimitsRow): Wait[] {
  const all = [...routes, ...running]
  const caps = routeConnections(route, all)
  const names = new Set(caps.map(({ name }) => name))
  const isShared = running.some(row => routeConnections(row, all).some(({ name }) => names.has(name)))
  if (caps.length === 0) return []
  const limit = Math.min(...caps.map(({ connections }) => connections))
  if (isShared) return [wait('connections', { limit, shared: 'campaigns' })]
  return [wait('connections', { limit, shared: hasOtherClients ? 'clients' : null })]
}

function exhausted(limits: QueueLimits, rates: readonly RateLimit[]): Wait[] {
  return rates
    .filter(({ name, rate }) => bucketsOf(name, rate).some(bucket => isFull(limits, bucket)))
    .map(({ of, rate }) => wait(`${of}_rate`, { limit: rate.mails, unit: rate.unit }))
}

function isFull({ buckets }: QueueLimits, bucket: TokenBucket): boolean {
  return isExhausted(bucket, buckets.get(bucket.name))
}

function windowWait({ buckets }: QueueLimits, window: NonNullable<QueueLimits['window']>): Wait {
  const { refilledAt: since = null } = buckets.get(window.name) ?? {}
  const until = since && new Date(Date.parse(since) + window.seconds * 1000).toISOString()
  return wait('campaign_window', { since, until, limit: window.volume, seconds: window.seconds })
}

function actionWait(code: 'backoff' | 'quarantine', { id, acted_at: since, until }: ActiveAction): Wait {
  return wait(code, { since, until, action_id: id })
}

function wait(code: WaitCode, known: Partial<Omit<Wait, 'code'>> = {}): Wait {
  return {
    code,
    since: null,
    until: null,
    limit: null,
    unit: null,
    seconds: null,
    shared: null,
    action_id: null,
    ...known,
  }
}
