import type { MailclassRow } from '../model/mailclass-row.ts'
import { type TokenBucket, bucketsOf } from './rate-limits.ts'
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
export interface RouteRow extends MailclassRow {
  client_id: number
  campagne_id: number
  /** 0: its campaign has none, and uses its ESP login. */
  mailclass_id: number
  /** ESP login that the campaign uses instead of the class's sending route. */
  esp_id: number | null
  is_transactional: boolean
  throttle: number
  throttle_unit: string
  login_mails: number
  login_unit: string
  login_connections: number
  ip_mails: number
  ip_unit: string
  ip_connections: number
  provider_limits: { provider_id: number; mails: number; unit: string; connections: number }[]
  warmup_volumes: number[]
  /** Days since its warm-up began, in the client's time zone; null: not warming up. */
  warmup_date: string
  warmup_day: number | null
}

/** Limits of the whole installation at this moment. */
export interface ActiveLimits {
  rank: EngineRank
  providers: readonly { provider_id: number; max_connections: number; max_per_hour: number }[]
  /** Active back-offs and quarantines. */
  ruleActions: readonly ActiveRuleAction[]
  /** Time slices, if there are fewer connections than pools. */
  timeSlices?: ConnectionTimeSlices | undefined
}

export interface ActiveRuleAction {
  action: string
  client_id: number
  mailclass_id: number | null
  provider_id: number | null
  send_ip: string | null
}

/** Creates the routes of mail classes: names their buckets and divides their connections. */
export function makeRoutes(rows: readonly RouteRow[], limits: ActiveLimits): Map<RouteRow, SendingRoute> {
  const pools = new Map(rows.map(row => [poolOf(row), row]))
  const connections = divideConnections(
    [...pools].map(([name, row]) => ({
      name,
      isTransactional: row.is_transactional,
      caps: capsOf(row, rows).map(cap => ({
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
  const own = limits.ruleActions.filter(
    one =>
      one.client_id === clientId &&
      (one.mailclass_id === mailclassId || (one.action === 'quarantine_ip' && isSame(one.send_ip, ip))),
  )
  const warmup = warmupOf(warmupName('mailclass', clientId, mailclassId), row)
  return {
    mailclassId,
    mailclass: row,
    pool: poolOf(row),
    connections,
    buckets: [
      ...bucketsOf(classOf(row), { mails: row.throttle, unit: row.throttle_unit }),
      ...lowest(all.filter(other => isSame(loginOf(other), loginOf(row))).flatMap(loginBuckets)),
      ...lowest(all.filter(other => isSame(ipOf(other), ipOf(row))).flatMap(ipBuckets)),
      ...(warmup ? [warmup] : []),
    ],
    sendIp: ip,
    warmup,
    isQuarantined: own.some(one => one.action === 'quarantine_ip'),
    receivers: receiversOf(row, limits),
    closed: [
      ...new Set(
        own.flatMap(one =>
          one.action === 'backoff_provider' && one.provider_id !== null ? [one.provider_id] : [],
        ),
      ),
    ],
  }
}

/** Name of a warm-up's buckets; there is one per day. */
export function warmupName(what: 'mailclass' | 'domain', clientId: number, id: number | null): string {
  return `${what === 'mailclass' ? 'warm-up' : what} ${clientId}/${id}`
}

/** The current day of a warm-up. */
export interface WarmupDay {
  /** By the client's calendar, ISO 8601. */
  warmup_date: string
  warmup_day: number | null
  warmup_volumes: number[]
}

/**
 * The bucket of today, until the warm-up ends; days before the first one have its volume. Named by date: restarting a
 * warm-up gives new buckets.
 */
export function warmupOf(
  name: string,
  { warmup_date: date, warmup_day: day, warmup_volumes: volumes }: WarmupDay,
): TokenBucket | null {
  if (day === null) return null
  const volume = volumes[Math.max(0, day)]
  return volume === undefined ? null : { name: `${name} on ${date}`, volume }
}

function receiversOf(row: RouteRow, tenant: ActiveLimits): ReceiverLimit[] {
  const limits = [
    ...tenant.providers.map(provider => ({
      providerId: provider.provider_id,
      name: `provider ${provider.provider_id}`,
      rate: { mails: provider.max_per_hour, unit: 'hour' },
      connections: provider.max_connections,
    })),
    ...row.provider_limits.map(({ provider_id: providerId, mails, unit, connections }) => ({
      providerId,
      name: `${classOf(row)} provider ${providerId}`,
      rate: { mails, unit },
      connections,
    })),
  ].filter(limit => limit.rate.mails > 0 || limit.connections > 0)
  return [...Map.groupBy(limits, limit => limit.providerId)].map(([providerId, own]) => ({
    providerId,
    buckets: own.flatMap(({ name, rate }) => bucketsOf(name, rate)),
    concurrency: own
      .filter(limit => limit.connections > 0)
      .map(({ name, connections }) => ({ name, most: shareOf(connections, tenant.rank) })),
  }))
}

function poolOf({ client_id, mailclass_id, esp_id, is_transactional }: RouteRow): string {
  const login = esp_id === null ? '' : ` over ${esp_id}`
  return `${client_id}/${mailclass_id}${login}${is_transactional ? '/first' : ''}`
}

/** Prefix for the limits of a mail class, or of a login without class. */
function classOf({ client_id, mailclass_id, esp_id }: RouteRow): string {
  return mailclass_id === 0 ? `service ${client_id}/${esp_id}` : `class ${client_id}/${mailclass_id}`
}

function loginOf({ client_id, transport, smtp_host, smtp_port, smtp_username }: RouteRow): string | null {
  if (transport !== 'smtp' || !smtp_username) return null
  return `login ${client_id}/${smtp_username}@${smtp_host}:${smtp_port}`
}

function ipOf({ client_id, send_ip }: RouteRow): string | null {
  return send_ip === null ? null : `ip ${client_id}/${send_ip}`
}

function loginBuckets(row: RouteRow): TokenBucket[] {
  const name = loginOf(row)
  return name === null ? [] : bucketsOf(name, { mails: row.login_mails, unit: row.login_unit })
}

function ipBuckets(row: RouteRow): TokenBucket[] {
  const name = ipOf(row)
  return name === null ? [] : bucketsOf(name, { mails: row.ip_mails, unit: row.ip_unit })
}

function capsOf(row: RouteRow, all: readonly RouteRow[]): { name: string; connections: number }[] {
  const { max_connections } = row
  const login = loginOf(row)
  const ip = ipOf(row)
  const logins = all.filter(other => isSame(loginOf(other), login)).map(other => other.login_connections)
  const ips = all.filter(other => isSame(ipOf(other), ip)).map(other => other.ip_connections)
  const caps = [
    { name: classOf(row), connections: max_connections },
    { name: login, connections: leastOf(logins) },
    { name: ip, connections: leastOf(ips) },
  ]
  return caps.flatMap(({ name, connections }) =>
    name !== null && connections > 0 ? [{ name, connections }] : [],
  )
}

/** The lowest limit; 0 if there is none. */
function leastOf(caps: readonly number[]): number {
  const limits = caps.filter(cap => cap > 0)
  return limits.length === 0 ? 0 : Math.min(...limits)
}

function lowest(buckets: readonly TokenBucket[]): TokenBucket[] {
  const rate = (bucket: TokenBucket) => ('perSecond' in bucket ? bucket.perSecond : bucket.volume)
  return buckets.toSorted((a, b) => rate(a) - rate(b)).slice(0, 1)
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && one === other
}
