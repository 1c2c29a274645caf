import { campaignState, transactionalTypes } from '@emma/contract/campaign-states.ts'
import type { SenderSettings } from '@emma/core/campaigns/sending-faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { hoursPassed } from '../2-claim/local-hours.ts'
import { poolFault } from '@emma/core/deliverability/pool-fault.ts'
import { readActiveActions } from '@emma/core/deliverability/limits/active-actions.ts'
import { campaignRate, campaignWindow } from '@emma/core/deliverability/limits/campaign-limits.ts'
import { quietNow } from '@emma/core/deliverability/limits/quiet-hours.ts'
import { readProviderLimits } from '@emma/core/deliverability/limits/read-provider-limits.ts'
import { selectRoutes } from '@emma/core/deliverability/limits/select-routes.ts'
import { bucketsOf, type TokenBucket } from '@emma/core/deliverability/limits/token-bucket.ts'
import { warmupName, warmupOf } from '@emma/core/deliverability/limits/warmup-day.ts'
import type { ConnectionTimeSlices } from '../2-claim/connection-time-slices.ts'
import { type ActiveLimits, makeRoutes, type SendingRoute, type RouteRow } from '../2-claim/sending-routes.ts'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { CampaignSnapshot } from '../model/campaign-snapshot.ts'
import type { Source } from '../4-deliver/mx/mx-transport.ts'
import type { Login, TransportSettings } from '../4-deliver/transport.ts'
import { type LoginRow, loginsColumn, type MailclassRow } from '../model/mailclass-row.ts'
import { applyEspLogin } from '../model/esp-login-route.ts'

/** A campaign that sends, with the settings that may change while it does. */
export interface RunningCampaign extends CampaignKey, SenderSettings {
  memberTableId: number | null
  /** Suppression lists that hold for it, besides the client's own. */
  blacklistIds: readonly number[]
  resendUnknown: boolean
  /** Goes before bulk mail, over connections of its own. */
  isTransactional: boolean
  /** Each mail has its hour, by the clock of its recipient. */
  hasOwnHours: boolean
  /** Rows of it wait to be sent now; false while all of them are due later, or in flight. */
  hasDue: boolean
  /** Nothing of it begins now: it has quiet hours, or in local time its hours have passed and are to be moved. */
  isQuiet: boolean
  /** Names of the further domains that it may use now, if it rotates over domains. */
  poolDomains: readonly string[]
  /** Why nothing of it leaves, as its people were told. */
  error: string | null
  /** Its own speed, what may leave in a window, and what its domain may send today. */
  buckets: readonly TokenBucket[]
  /** Its mail class, and where mail goes that a warm-up's day does not hold. */
  routes: readonly SendingRoute[]
}

/**
 * All campaigns that send now, in a stable order, with the limits they are under.
 *
 * @param lease the engine that asks: connections are divided over all engines
 * @param timeSlices its connection pools take turns where it has fewer connections
 */
export async function listRunning(
  db: Db,
  lease: string,
  timeSlices?: ConnectionTimeSlices,
): Promise<RunningCampaign[]> {
  const { rows } = await sql<CampaignRow>`
    select c.client_id as "clientId", c.campagne_id as "campaignId", c.member_table_id as "memberTableId",
      c.blacklist_ids as "blacklistIds",
      c.unknown_policy = 'resend' as "resendUnknown", c.ctype, c.throttle, c.throttle_unit,
      c.local_time, c.window_mails, c.window_minutes, c.local_time or c.learned_time is not null as "hasOwnHours",
      case when c.local_time or c.learned_time is not null then ${hoursPassed} else ${quietNow} end as "isQuiet", c.error,
      ${hasDue} as "hasDue",
      c.domain_id as "domainId", c.mailclass_id as "mailclassId", c.esp_id as "espId",
      c.fromadr, c.reply_to as "replyTo", d.warmup_volumes, ${poolDomains} as "poolDomains",
      wall_clock(now(), client.timezone)::date::text as warmup_date,
      (wall_clock(now(), client.timezone)::date - d.warmup_start) as warmup_day
    from campaign c
    join client using (client_id)
    left join domain d on d.client_id = c.client_id and d.domain_id = c.domain_id
    where c.valid = ${campaignState.running} and c.expanded_at is not null and c.deleted_at is null
    order by c.client_id, c.campagne_id`.execute(db)
  if (rows.length === 0) return []
  const routeRows = await readRoutes(db, rows)
  const routes = makeRoutes(routeRows, { ...(await readActiveLimits(db, lease)), timeSlices })
  const byCampaign = Map.groupBy(routeRows, row => `${row.client_id}/${row.campagne_id}`)
  return rows.map(row => {
    const { ctype, throttle, throttle_unit, local_time, window_mails, window_minutes, ...rest } = row
    const { warmup_date, warmup_day, warmup_volumes, ...campaign } = rest
    const key = `${row.clientId}/${row.campaignId}`
    const isFirst = transactionalTypes.includes(ctype)
    const limits = { throttle, throttle_unit, local_time: row.hasOwnHours, window_mails, window_minutes }
    const window = campaignWindow(limits)
    const warmup = warmupOf(warmupName('domain', row.clientId, row.domainId), {
      warmup_date,
      warmup_day,
      warmup_volumes: warmup_volumes ?? [],
    })
    return {
      ...campaign,
      isTransactional: isFirst,
      buckets: [
        ...bucketsOf(`campaign ${key}`, campaignRate(limits)),
        // What was missed while nothing was sent must not leave all at once.
        ...(window ? [{ name: `window ${key}`, ...window }] : []),
        ...(warmup ? [warmup] : []),
      ],
      routes: (byCampaign.get(key) ?? []).flatMap(route => routes.get(route) ?? []),
    }
  })
}

interface CampaignRow extends CampaignKey, SenderSettings {
  memberTableId: number | null
  /** Suppression lists that hold for it, besides the client's own. */
  blacklistIds: readonly number[]
  resendUnknown: boolean
  hasDue: boolean
  isQuiet: boolean
  poolDomains: readonly string[]
  error: string | null
  ctype: number
  throttle: number
  throttle_unit: string
  local_time: boolean
  hasOwnHours: boolean
  window_mails: number
  window_minutes: number
  warmup_volumes: number[] | null
  warmup_date: string
  warmup_day: number | null
}

/** A scalar subquery stays one lookup in an index that contains only open rows. */
const hasDue = sql<boolean>`(
  select 1 from delivery d
  where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state in ('pending', 'deferred')
    and d.due_at <= now()
  limit 1) is not null`

/** The pool of campaign `c` with domain `d`, as far as it may be used now; its snapshot decides which it uses. */
const poolDomains = sql<string[]>`case when c.use_domain_pool then array(
  select p.name from domain p
  where p.client_id = c.client_id and p.domain_id <> c.domain_id and ${poolFault('p', 'd')} is null
  order by p.domain_id
  limit 1000) else '{}' end`

async function readRoutes(db: Db, campaigns: readonly CampaignRow[]): Promise<RouteRow[]> {
  const keys = sql`
    select client_id, campagne_id, ctype, mailclass_id, esp_id from campaign
    where (client_id, campagne_id) in (
      select * from unnest(
        ${campaigns.map(row => row.clientId)}::bigint[], ${campaigns.map(row => row.campaignId)}::bigint[]))`
  const logins = loginsColumn(
    sql`case when route.esp_id is null then m.login_ids else array[route.esp_id] end`,
    sql`route`,
  )
  const query = selectRoutes(keys, sql`m.*, ${logins}`)
  const { rows } = await query.$castTo<RouteRow & { has_class: boolean }>().execute(db)
  return rows.map(row => (row.esp_id === null ? row : applyEspLogin(row)))
}

async function readActiveLimits(db: Db, lease: string): Promise<ActiveLimits> {
  const engines = await db.selectFrom('engine').select('lease').orderBy('lease').execute()
  const [providers, ruleActions] = [await readProviderLimits(db), await readActiveActions(db)]
  const rank = engines.findIndex(engine => engine.lease === lease)
  return { rank: { rank: Math.max(0, rank), engines: engines.length }, providers, ruleActions }
}

/** Campaigns that wait to be expanded, those first that are not bulk mail. */
export async function listPreparing(db: Db, kind: 'transactional' | 'bulk'): Promise<CampaignKey[]> {
  const rows = await db
    .selectFrom('campaign')
    .select(['client_id', 'campagne_id'])
    .where('valid', '=', campaignState.preparing)
    .where('deleted_at', 'is', null)
    .where('ctype', kind === 'transactional' ? 'in' : 'not in', [...transactionalTypes])
    .orderBy('updated_at')
    .execute()
  return rows.map(row => ({ clientId: row.client_id, campaignId: row.campagne_id }))
}

/**
 * The settings of a mail class as a transport takes them. `openSecret` opens what is kept sealed.
 *
 * @param connections this engine's part of them; all when left out
 */
export function transportSettings(
  row: MailclassRow,
  openSecret: (sealed: Buffer) => string,
  connections = row.max_connections,
): TransportSettings {
  const sources = sourcesOf(row)
  if (row.transport === 'mx') return { transport: 'mx', connections, sources }
  const logins = row.logins.map(login => openLogin(login, openSecret))
  if (row.transport === 'esp') return { transport: 'esp', connections, logins }
  if (row.transport !== 'smtp') return { transport: 'testbed', connections }
  const { smtp_username: user, smtp_password: password } = row
  return {
    transport: 'smtp',
    connections,
    host: row.smtp_host ?? 'localhost',
    port: row.smtp_port ?? (row.smtp_tls === 'tls' ? 465 : 25),
    tls: row.smtp_tls,
    auth: user && password ? { user, password: openSecret(password) } : null,
    headers: row.mta_headers,
    sendIp: row.send_ip,
    sources,
    fallbacks: logins,
  }
}

/** The local addresses a class leaves from: the one it names, or all of its own in turns. */
function sourcesOf({ send_ip, source_ips }: MailclassRow): readonly Source[] {
  const named = source_ips.filter(({ address }) => address === send_ip)
  return named.length > 0 ? named : source_ips
}

function openLogin(row: LoginRow, openSecret: (sealed: Buffer) => string): Login {
  const { id, esp, username, host, port, tls, region, domain, stream, configuration_set, base_url } = row
  const secret = row.secret === null ? '' : openSecret(Buffer.from(row.secret, 'base64'))
  if (esp !== 'smtp')
    return {
      via: esp,
      id,
      username: username ?? '',
      secret,
      region,
      domain,
      stream,
      configurationSet: configuration_set,
      baseUrl: base_url,
    }
  const auth = username && secret ? { user: username, password: secret } : null
  return { via: 'smtp', id, host: host ?? 'localhost', port: port ?? (tls === 'tls' ? 465 : 587), tls, auth }
}

/** Whether mail may leave this installation; off until an administrator switches it on. */
export async function isRealDelivery(db: Db): Promise<boolean> {
  const setting = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'real_delivery')
    .executeTakeFirst()
  return setting?.value === true
}

/** The snapshot a campaign was started with. */
export async function readSnapshot(db: Db, key: CampaignKey): Promise<CampaignSnapshot | null> {
  const { rows } = await sql<{ snapshot: CampaignSnapshot | null }>`
    select snapshot from campaign
    where client_id = ${key.clientId} and campagne_id = ${key.campaignId}`.execute(db)
  return rows[0]?.snapshot ?? null
}
