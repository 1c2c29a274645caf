import { type Rate, ratePerSecond } from './token-bucket.ts'
import type { WarmupDay } from './warmup-day.ts'

/** Columns of a sending route that decide about its limits. */
export interface RouteLimitFields extends WarmupDay {
  client_id: number
  /** 0: its campaign has none, and uses its ESP login. */
  mailclass_id: number
  /** ESP login that the campaign uses instead of the class's sending route. */
  esp_id: number | null
  transport: string
  smtp_host: string | null
  smtp_port: number | null
  smtp_username: string | null
  /** IP or virtual MTA it sends from. */
  send_ip: string | null
  max_connections: number
  throttle: number
  throttle_unit: string
  login_mails: number
  login_unit: string
  login_connections: number
  ip_mails: number
  ip_unit: string
  ip_connections: number
  provider_limits: readonly { provider_id: number; mails: number; unit: string; connections: number }[]
  /** First login at a sending service, with what the service allows it; null: none. */
  service_id: number | null
  service_mails: number
  service_unit: string
}

/** A mailbox provider of the installation with its limits; 0: no limit. */
export interface ProviderLimit {
  provider_id: number
  max_connections: number
  max_per_hour: number
}

/** A limit on a rate. All routes with a limit of the same name share it. */
export interface RateLimit {
  of: 'mailclass' | 'login' | 'ip' | 'provider' | 'mailclass_provider'
  name: string
  rate: Rate
}

/** Limits of one mailbox provider. */
export interface ReceiverLimits {
  providerId: number
  rates: RateLimit[]
  connections: ConnectionLimit[]
}

/** A limit on concurrent connections. All routes with a limit of the same name share it. */
export interface ConnectionLimit {
  name: string
  connections: number
}

/**
 * Limits on the rate of a route: its mail class, its login or service, and its IP. Where mail classes of one login or IP differ,
 * the lowest counts.
 * @param all the routes in use, including it
 */
export function routeRates(row: RouteLimitFields, all: readonly RouteLimitFields[]): RateLimit[] {
  const own: RateLimit = {
    of: 'mailclass',
    name: classOf(row),
    rate: { mails: row.throttle, unit: row.throttle_unit },
  }
  return [
    ...limited([own, ...serviceRates(row)]),
    ...lowest(all.filter(other => isSame(loginOf(other), loginOf(row))).flatMap(loginRates)),
    ...lowest(all.filter(other => isSame(ipOf(other), ipOf(row))).flatMap(ipRates)),
  ]
}

/** Limits of mailbox providers on a route: those of the installation, and those of the mail class. */
export function receiverLimits(row: RouteLimitFields, providers: readonly ProviderLimit[]): ReceiverLimits[] {
  const limits = [
    ...providers.map(provider => ({
      providerId: provider.provider_id,
      of: 'provider' as const,
      name: `provider ${provider.provider_id}`,
      rate: { mails: provider.max_per_hour, unit: 'hour' },
      connections: provider.max_connections,
    })),
    ...row.provider_limits.map(({ provider_id: providerId, mails, unit, connections }) => ({
      providerId,
      of: 'mailclass_provider' as const,
      name: `${classOf(row)} provider ${providerId}`,
      rate: { mails, unit },
      connections,
    })),
  ].filter(limit => limit.rate.mails > 0 || limit.connections > 0)
  return [...Map.groupBy(limits, limit => limit.providerId)].map(([providerId, own]) => ({
    providerId,
    rates: limited(own.map(({ of, name, rate }) => ({ of, name, rate }))),
    connections: own
      .filter(limit => limit.connections > 0)
      .map(({ name, connections }) => ({ name, connections })),
  }))
}

/** Limits on the connections of a route: its mail class, its login and its IP. */
export function routeConnections(row: RouteLimitFields, all: readonly RouteLimitFields[]): ConnectionLimit[] {
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

/** Limits of a campaign without a mail class. */
const WITHOUT_CLASS = {
  max_connections: 10,
  throttle: 0,
  throttle_unit: 'hour',
  login_mails: 0,
  login_unit: 'hour',
  login_connections: 0,
  ip_mails: 0,
  ip_unit: 'hour',
  ip_connections: 0,
  provider_limits: [],
  warmup_volumes: [],
}

/**
 * Applies a campaign's own login (`esp_id`) to the limits of its route: rate, receivers and warm-up of the class stay,
 * while server and IP are the login's.
 */
export function limitsOverLogin<R extends RouteLimitFields & { has_class: boolean }>(row: R): R {
  const own = row.has_class ? {} : WITHOUT_CLASS
  return { ...row, ...own, transport: 'esp', smtp_username: null, send_ip: null }
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && one === other
}

/** Prefix for the limits of a mail class, or of a login without class. */
function classOf({ client_id, mailclass_id, esp_id }: RouteLimitFields): string {
  return mailclass_id === 0 ? `service ${client_id}/${esp_id}` : `class ${client_id}/${mailclass_id}`
}

function loginOf({ client_id, transport, smtp_host, smtp_port, smtp_username }: RouteLimitFields) {
  if (transport !== 'smtp' || !smtp_username) return null
  return `login ${client_id}/${smtp_username}@${smtp_host}:${smtp_port}`
}

function ipOf({ client_id, send_ip }: RouteLimitFields): string | null {
  return send_ip === null ? null : `ip ${client_id}/${send_ip}`
}

function loginRates(row: RouteLimitFields): RateLimit[] {
  const name = loginOf(row)
  const rate = { mails: row.login_mails, unit: row.login_unit }
  return name === null ? [] : limited([{ of: 'login', name, rate }])
}

function serviceRates({ client_id, service_id, service_mails, service_unit }: RouteLimitFields): RateLimit[] {
  if (service_id === null) return []
  const rate = { mails: service_mails, unit: service_unit }
  return [{ of: 'login', name: `service login ${client_id}/${service_id}`, rate }]
}

function ipRates(row: RouteLimitFields): RateLimit[] {
  const name = ipOf(row)
  const rate = { mails: row.ip_mails, unit: row.ip_unit }
  return name === null ? [] : limited([{ of: 'ip', name, rate }])
}

/** 0 means no limit. */
function limited(limits: readonly RateLimit[]): RateLimit[] {
  return limits.filter(({ rate }) => rate.mails > 0)
}

function lowest(limits: readonly RateLimit[]): RateLimit[] {
  return limits.toSorted((a, b) => ratePerSecond(a.rate) - ratePerSecond(b.rate)).slice(0, 1)
}

/** The lowest limit; 0 if there is none. */
function leastOf(caps: readonly number[]): number {
  const limits = caps.filter(cap => cap > 0)
  return limits.length === 0 ? 0 : Math.min(...limits)
}
