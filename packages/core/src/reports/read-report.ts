import type * as contract from '@emma/contract/actions/reports.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import {
  bounceClass,
  hasBounced,
  isAccepted,
  isHard,
  isHit,
  isHuman,
  isMachine,
  isMobile,
  isOfMember,
  isRefused,
  isSent,
} from './counted.ts'
import { readFigures } from './read-figures.ts'

type Report = z.output<typeof contract.report>
type LinkRow = z.output<typeof contract.linkRow>
type PreblockRow = z.output<typeof contract.preblockRow>
type ProviderRow = z.output<typeof contract.providerRow>

/**
 * Report of one campaign: figures, opens and clicks over time, links, devices, email clients, bounces, skip reasons,
 * mailbox providers.
 */
export async function readReport(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
): Promise<Report> {
  const campaign = await campaignOperations.find(db, actor, scope, campaignId)
  const clientId = campaign.client_id
  const of = { clientId, campaignId }
  const [figures] = await readFigures(db, clientId, [campaignId])
  if (!figures) throw new EmmaError('not_found')
  const [overTime, links, devices, clients, bounces, preblocks, providers] = await Promise.all([
    readOverTime(db, of),
    readLinks(db, of),
    readDevices(db, of, sql.ref('device')),
    readDevices(db, of, sql.ref('agent_client')),
    readBounces(db, of),
    readPreblocks(db, of),
    readProviders(db, of),
  ])
  const { name, member_table_id, valid, startdate, started_at, finished_at, estimated_volume, progress_cur } =
    campaign
  return {
    ...figures,
    client_id: clientId,
    name,
    member_table_id,
    has_split: campaign.split !== null,
    has_learned_time: campaign.learned_time !== null,
    valid,
    startdate,
    started_at,
    finished_at,
    estimated_volume,
    progress_cur,
    opens_clicks_over_time: overTime,
    links,
    devices,
    clients,
    bounces,
    preblocks,
    providers,
  }
}

interface Of {
  clientId: number
  campaignId: number
}

function events({ clientId, campaignId }: Of): RawBuilder<unknown> {
  return sql`event e where e.client_id = ${clientId} and e.campagne_id = ${campaignId}`
}

/** Opens and clicks as the figures count them: by people, without machines and seeds. */
function humanHits(of: Of): RawBuilder<unknown> {
  return sql`${events(of)} and ${isHit('e')} and ${isOfMember('e')}`
}

/**
 * Human opens and clicks in equal intervals of the client's time zone, about 60 at most; a day begins at its midnight.
 */
export async function readOverTime(db: Db, of: Of): Promise<Report['opens_clicks_over_time']> {
  const found = await sql<Report['opens_clicks_over_time'][number]>`
    with place as (select timezone from client where client_id = ${of.clientId}),
    hit as (select e.ts, e.type from ${humanHits(of)}),
    span as (
      select extract(epoch from max(ts) - min(ts)) as seconds from hit
    ),
    step as (
      select coalesce(min(width), 86400) as width
      from unnest(array[10, 60, 300, 900, 3600, 10800, 43200, 86400]) as width, span where seconds / width <= 60
    )
    select to_timestamp(floor(extract(epoch from ts at time zone timezone) / width) * width)
        at time zone 'UTC' at time zone timezone as ts,
      count(*) filter (where type = 'open') as opens, count(*) filter (where type = 'click') as clicks
    from hit, step, place group by 1 order by 1`.execute(db)
  return found.rows
}

/** R172: each link of the message as sent, with people and clicks. */
export async function readLinks(db: Db, of: Of): Promise<LinkRow[]> {
  const found = await sql<LinkRow>`
    with row as (
      select (link ->> 'index')::int as link_index, link ->> 'name' as name, link ->> 'url' as url
      from campaign c, jsonb_array_elements(coalesce(c.snapshot -> 'links', '[]')) as link
      where c.client_id = ${of.clientId} and c.campagne_id = ${of.campaignId}
    )
    select row.link_index, row.name, row.url,
      count(distinct e.member_id) filter (where ${isHuman('e')}) as unique,
      count(e.*) filter (where ${isHuman('e')}) as total,
      count(distinct e.member_id) filter (where ${isHuman('e')} and e.device = 'desktop') as desktop,
      count(distinct e.member_id) filter (where ${isHuman('e')} and ${isMobile('e')}) as mobile,
      count(e.*) filter (where ${isMachine('e')}) as machine
    from row left join event e on e.client_id = ${of.clientId} and e.campagne_id = ${of.campaignId}
      and e.type = 'click' and e.link_index = row.link_index and ${isOfMember('e')}
    group by 1, 2, 3 order by 1`.execute(db)
  return found.rows
}

async function readDevices(db: Db, of: Of, column: RawBuilder<unknown>): Promise<Report['devices']> {
  const found = await sql<Report['devices'][number]>`
    select coalesce(nullif(${column}, ''), 'other') as name, count(distinct e.member_id) as people
    from ${humanHits(of)}
    group by 1 order by 2 desc, 1 limit 20`.execute(db)
  return found.rows
}

/** Bounces by class, with sample replies. */
async function readBounces(db: Db, of: Of): Promise<Report['bounces']> {
  const found = await sql<Report['bounces'][number]>`
    select ${bounceClass('e')} as class, ${isHard('e')} as hard, count(distinct e.member_id) as people,
      (array_agg(distinct left(e.reply, 300)) filter (where e.reply is not null))[1:3] as replies
    from ${events(of)} and e.type = 'bounce' and ${isOfMember('e')} group by 1, 2 order by 3 desc`.execute(db)
  return found.rows
}

/** R175: skipped members by reason. The sum is nb_preblock. */
export async function readPreblocks(db: Db, { clientId, campaignId }: Of): Promise<PreblockRow[]> {
  const found = await sql<PreblockRow>`
    select skip_reason as reason, count(*) as count, (array_agg(email order by member_id))[1:10] as sample
    from delivery d where client_id = ${clientId} and campagne_id = ${campaignId} and state = 'skipped'
      and ${isOfMember('d')}
    group by 1 order by 2 desc`.execute(db)
  return found.rows
}

/** R174: results by mailbox provider; `bounced_later` were accepted first. */
export async function readProviders(db: Db, { clientId, campaignId }: Of): Promise<ProviderRow[]> {
  const found = await sql<ProviderRow>`
    select p.provider_id, p.name,
      count(*) filter (where ${isSent('d')}) as sent,
      count(*) filter (where ${isAccepted('d')}) as accepted,
      count(*) filter (where d.state = 'deferred') as deferred,
      count(*) filter (where ${isRefused('d')} and ${isHard('d')}) as hard,
      count(*) filter (where ${isRefused('d')} and not ${isHard('d')}) as soft,
      count(*) filter (where ${isAccepted('d')} and ${hasBounced('d')}) as bounced_later,
      count(*) filter (where d.state = 'unknown') as unknown,
      round(avg(extract(epoch from d.recorded_at - d.claimed_at)) filter (where ${isAccepted('d')}), 3) as avg_s
    from delivery d join provider p using (provider_id)
    where d.client_id = ${clientId} and d.campagne_id = ${campaignId} and d.state <> 'skipped'
      and ${isOfMember('d')}
    group by 1, 2 order by 3 desc, 2`.execute(db)
  return found.rows
}
