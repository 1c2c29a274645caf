import { campaignState, transactionalTypes } from '@emma/contract/campaign-states.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type ActiveAction, readActiveActions } from '../../deliverability/limits/active-actions.ts'
import { campaignRate, campaignWindow } from '../../deliverability/limits/campaign-limits.ts'
import { quietHours, quietNow } from '../../deliverability/limits/quiet-hours.ts'
import { type BucketState, readBuckets } from '../../deliverability/limits/read-buckets.ts'
import { readProviderLimits } from '../../deliverability/limits/read-provider-limits.ts'
import { type ProviderLimit, receiverLimits, routeRates } from '../../deliverability/limits/route-limits.ts'
import { bucketsOf, type Rate, type TokenBucket } from '../../deliverability/limits/token-bucket.ts'
import { warmupName, warmupOf } from '../../deliverability/limits/warmup-day.ts'
import { readRouteLimits, type RouteLimitsRow } from '../../deliverability/volume/read-route-limits.ts'
import type { Campaign } from '../campaign-operations.ts'

/** Everything that may hold emails of a campaign back at this moment. */
export interface QueueLimits {
  /** In the order of use. */
  routes: RouteLimitsRow[]
  /** Routes of the client's running campaigns. */
  running: RouteLimitsRow[]
  /** Name of the campaign's ESP login. */
  service: string | null
  providers: ProviderLimit[]
  actions: ActiveAction[]
  rate: { rate: Rate; bucket: TokenBucket } | null
  window: { volume: number; seconds: number; name: string } | null
  domainWarmup: { name: string; volume: number } | null
  buckets: ReadonlyMap<string, BucketState>
  /** Quiet hours that last, ISO 8601. */
  quiet: { since: string; until: string } | null
  /** End of the client's day, ISO 8601. */
  dayEnds: string
  hasEngine: boolean
  /** Campaigns of other clients have emails to send at the same time. */
  hasOtherClients: boolean
}

/** Reads the limits that apply to a campaign, and the state of their token buckets. */
export async function readQueueLimits(db: Db, campaign: Campaign): Promise<QueueLimits> {
  const { client_id: clientId, campagne_id: campaignId } = campaign
  const asked = { mailclassId: campaign.mailclass_id, espId: campaign.esp_id }
  const [found, clock, providers, actions] = await Promise.all([
    readRouteLimits(db, clientId, [asked]),
    readClock(db, clientId, campaignId),
    readProviderLimits(db),
    readActiveActions(db),
  ])
  const routes = found.asked.flat()
  const key = `${clientId}/${campaignId}`
  const [bucket] = bucketsOf(`campaign ${key}`, campaignRate(campaign))
  const hasOwnHours = campaign.local_time || campaign.learned_time !== null
  const window = campaignWindow({ ...campaign, local_time: hasOwnHours })
  const limits = {
    routes,
    running: found.running.filter(row => row.campagne_id !== campaignId),
    service: clock.service,
    providers,
    actions: actions.filter(action => action.client_id === clientId),
    rate: bucket ? { rate: campaignRate(campaign), bucket } : null,
    window: window && { ...window, name: `window ${key}` },
    domainWarmup: warmupOf(warmupName('domain', clientId, campaign.domain_id), clock),
    quiet: clock.is_quiet ? { since: clock.quiet_since, until: clock.quiet_until } : null,
    dayEnds: clock.day_ends,
    hasEngine: clock.has_engine,
    hasOtherClients: clock.has_other_clients,
  }
  return { ...limits, buckets: await readBuckets(db, bucketNames(limits)) }
}

function bucketNames({
  routes,
  running,
  providers,
  rate,
  window,
  domainWarmup,
}: Omit<QueueLimits, 'buckets'>): string[] {
  const all = [...routes, ...running]
  return [
    rate?.bucket.name,
    window?.name,
    domainWarmup?.name,
    ...routes.flatMap(row => [
      warmupOf(warmupName('mailclass', row.client_id, row.mailclass_id), row)?.name,
      ...routeRates(row, all).map(({ name }) => name),
      ...receiverLimits(row, providers).flatMap(({ rates }) => rates.map(({ name }) => name)),
    ]),
  ].flatMap(name => name ?? [])
}

interface Clock {
  service: string | null
  warmup_date: string
  warmup_day: number | null
  warmup_volumes: number[]
  is_quiet: boolean
  quiet_since: string
  quiet_until: string
  day_ends: string
  has_engine: boolean
  has_other_clients: boolean
}

/** Seconds after which an engine without heartbeat counts as gone; it beats every five. */
const ENGINE_GONE_S = 30

/** In local time, and at learned hours, emails have the hours of their recipients, which their due times contain. */
async function readClock(db: Db, clientId: number, campaignId: number): Promise<Clock> {
  const { rows } = await sql<Clock>`
    with own as (
      select c.*, client.timezone, wall_clock(now(), client.timezone) as wall, ${quietHours.begins} as begins,
        ${quietHours.ends} as ends, not (c.local_time or c.learned_time is not null) and ${quietNow} as is_quiet
      from campaign c join client using (client_id)
      where c.client_id = ${clientId} and c.campagne_id = ${campaignId}
    )
    select service.name as service, wall::date::text as warmup_date, wall::date - d.warmup_start as warmup_day,
      coalesce(d.warmup_volumes, '{}') as warmup_volumes, is_quiet,
      from_wall_clock(wall::date + begins - case when begins > wall::time then interval '1 day' else '0' end, timezone)
        as quiet_since,
      from_wall_clock(wall::date + ends + case when ends <= wall::time then interval '1 day' else '0' end, timezone)
        as quiet_until,
      from_wall_clock(wall::date + interval '1 day', timezone) as day_ends,
      exists (
        select from role_heartbeat
        where role = 'engine' and seen_at > now() - make_interval(secs => ${ENGINE_GONE_S}::int)
      ) as has_engine,
      exists (
        select from campaign other
        where other.client_id <> own.client_id and other.valid = ${campaignState.running} and other.progress_open
          and other.ctype <> all(${[...transactionalTypes]}::int[]) and (
            select 1 from delivery o
            where o.client_id = other.client_id and o.campagne_id = other.campagne_id
              and o.state in ('pending', 'deferred') and o.due_at <= now()
            limit 1) is not null
      ) as has_other_clients
    from own
    left join domain d on d.client_id = own.client_id and d.domain_id = own.domain_id
    left join esp_login service on service.client_id = own.client_id and service.id = own.esp_id`.execute(db)
  const [clock] = rows
  if (!clock) throw new Error('The campaign was found before.')
  return clock
}
