import { type ActiveAction, actionsOn } from '@emma/core/deliverability/limits/active-actions.ts'
import {
  type ProviderLimit,
  type RateLimit,
  receiverLimits,
  routeConnections,
  type RouteLimitFields,
  routeRates,
} from '@emma/core/deliverability/limits/route-limits.ts'
import { bucketsOf, type TokenBucket } from '@emma/core/deliverability/limits/token-bucket.ts'
import { warmupName, warmupOf } from '@emma/core/deliverability/limits/warmup-day.ts'
import type { MailclassRow } from '../model/mailclass-row.ts'
import { divideConnections, type EngineRank, shareOf } from './divide-connections.ts'
import type { ConnectionTimeSlices } from './connection-time-slices.ts'

/** A mail class as this engine may use it now for a campaign. */
export interface SendingRoute {
  mailclassId: number
  mailclass: MailclassRow
  /** Name of the connection pool: transactional mail does not wait behind bulk mail of the same class. */
  pool: string
  /** This engine's share of the connections. */
  connections: number
  buckets: readonly TokenBucket[]
  /** Name of the IP or virtual MTA it sends from, if it has one. */
  sendIp: string | null
  /** Remaining volume of the warm-up day; when it is used up, messages take the next route. */
  warmup: TokenBucket | null
  /** A reply rule has quarantined its IP. */
  isQuarantined: boolean
  /** Receivers with limits. */
  receivers: readonly ReceiverLimit[]
  /** Receivers that are paused. */
  closed: readonly number[]
}

/** Limits of one mailbox provider. */
export interface ReceiverLimit {
  providerId: number
  buckets: readonly TokenBucket[]
  /** Limits on concurrent messages to it, this engine's share. */
  concurrency: readonly ConcurrencyLimit[]
}

export interface ConcurrencyLimit {
  name: string
  most: number
}

/** A mail class of a running campaign, as stored. */
export interface RouteRow extends MailclassRow, RouteLimitFields {
  client_id: number
  mailclass_id: number
  campagne_id: number
  is_transactional: boolean
}

/** Limits of the whole installation at this moment. */
export interface ActiveLimits {
  rank: EngineRank
  providers: readonly ProviderLimit[]
  /** Active back-offs and quarantines. */
  ruleActions: readonly ActiveAction[]
  /** Time slices, if there are fewer connections than pools. */
  timeSlices?: ConnectionTimeSlices | undefined
}

/** Creates the routes of mail classes: names their buckets and divides their connections. */
export function makeRoutes(rows: readonly RouteRow[], limits: ActiveLimits): Map<RouteRow, SendingRoute> {
  const pools = new Map(rows.map(row => [poolOf(row), row]))
  const connections = divideConnections(
    [...pools].map(([name, row]) => ({
      name,
      isTransactional: row.is_transactional,
      caps: routeConnections(row, rows).map(cap => ({
        name: cap.name,
        connections: shareOf(cap.connections, limits.rank),
      })),
    })),
    limits.timeSlices,
  )
  return new Map(rows.map(row => [row, makeRoute(row, rows, limits, connections.get(poolOf(row)) ?? 0)]))
}

function makeRoute(
  row: RouteRow,
  all: readonly RouteRow[],
  limits: ActiveLimits,
  connections: number,
): SendingRoute {
  const { client_id: clientId, mailclass_id: mailclassId, send_ip: ip } = row
  const { quarantines, backOffs } = actionsOn(row, limits.ruleActions)
  const warmup = warmupOf(warmupName('mailclass', clientId, mailclassId), row)
  return {
    mailclassId,
    mailclass: row,
    pool: poolOf(row),
    connections,
    buckets: [...routeRates(row, all).flatMap(bucketOf), ...(warmup ? [warmup] : [])],
    sendIp: ip,
    warmup,
    isQuarantined: quarantines.length > 0,
    receivers: receiversOf(row, limits),
    closed: [...new Set(backOffs.map(one => one.provider_id))],
  }
}

function bucketOf({ name, rate }: RateLimit): TokenBucket[] {
  return bucketsOf(name, rate)
}

function receiversOf(row: RouteRow, { providers, rank }: ActiveLimits): ReceiverLimit[] {
  return receiverLimits(row, providers).map(({ providerId, rates, connections }) => ({
    providerId,
    buckets: rates.flatMap(bucketOf),
    concurrency: connections.map(limit => ({ name: limit.name, most: shareOf(limit.connections, rank) })),
  }))
}

function poolOf({ client_id, mailclass_id, esp_id, is_transactional }: RouteRow): string {
  const login = esp_id === null ? '' : ` over ${esp_id}`
  return `${client_id}/${mailclass_id}${login}${is_transactional ? '/first' : ''}`
}
