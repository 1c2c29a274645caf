import { campaignState, transactionalTypes } from '@emma/contract/campaign-states.ts'
import type { DashboardView } from '@emma/contract/dashboard-views.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { readFigures } from '../reports/read-figures.ts'
import {
  bounceClass,
  isAccepted,
  isClicked,
  isHard,
  isMachine,
  isOfRecipient,
  isOpened,
  isRefused,
  isSent,
  isWaiting,
} from '../reports/counted.ts'
import { deliveriesOf, eventsOf, everyDay, since, type ViewFilter } from './view-filter.ts'

type Row<T extends { rows: readonly unknown[] }> = T['rows'][number]
type Day<T extends { days: readonly unknown[] }> = T['days'][number]

const summed = [
  'nb_recipients',
  'nb_send',
  'nb_delivered',
  'nb_open',
  'nb_click',
  'nb_unsubscribe',
  'nb_complaint',
] as const

/** Funnel of the chosen campaigns together, or of the one started last. */
export async function readFunnel(
  db: Db,
  { clientId, campaignIds }: ViewFilter,
): Promise<DashboardView<'funnel'>> {
  const ids = campaignIds?.slice(0, 100) ?? (await lastCampaign(db, clientId))
  const figures = await readFigures(db, clientId, ids)
  const sum = (name: (typeof summed)[number]) => figures.reduce((total, row) => total + row[name], 0)
  const [only] = ids.length === 1 ? ids : []
  const named = only === undefined ? null : await nameOf(db, clientId, only)
  return {
    campagne_id: only ?? null,
    name: named,
    campaigns: ids.length,
    nb_recipients: sum('nb_recipients'),
    nb_send: sum('nb_send'),
    nb_delivered: sum('nb_delivered'),
    nb_open: sum('nb_open'),
    nb_click: sum('nb_click'),
    nb_unsubscribe: sum('nb_unsubscribe'),
    nb_complaint: sum('nb_complaint'),
  }
}

async function lastCampaign(db: Db, clientId: number): Promise<number[]> {
  const { rows } = await sql<{ campagne_id: number }>`
    select campagne_id from campaign
    where client_id = ${clientId} and started_at is not null and deleted_at is null and ctype in (1, 2)
    order by started_at desc limit 1`.execute(db)
  return rows.map(row => row.campagne_id)
}

async function nameOf(db: Db, clientId: number, id: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from campaign where client_id = ${clientId} and campagne_id = ${id}`.execute(db)
  return rows[0]?.name ?? null
}

/** Accepted and bounced mails by day. */
export async function readVolume(db: Db, filter: ViewFilter): Promise<DashboardView<'volume'>> {
  const { rows } = await sql<Day<DashboardView<'volume'>>>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sent, 0) as sent, coalesce(bounced, 0) as bounced
    from ${everyDay(filter.days)}
    left join (
      select l.recorded_at::date as day, count(*) filter (where ${isAccepted('l')}) as sent,
        count(*) filter (where ${isRefused('l')}) as bounced
      from ${deliveriesOf(filter)} and ${isSent('l')} and l.recorded_at >= ${since(filter.days)}
      group by 1
    ) v on v.day = d.day
    order by d.day`.execute(db)
  return { days: rows }
}

/** Opens and clicks by day; those of machines (proxies, scanners) separately. */
export async function readRates(db: Db, filter: ViewFilter): Promise<DashboardView<'rates'>> {
  const { rows } = await sql<Day<DashboardView<'rates'>>>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(opens, 0) as opens, coalesce(clicks, 0) as clicks,
      coalesce(opens_machine, 0) as opens_machine, coalesce(clicks_machine, 0) as clicks_machine
    from ${everyDay(filter.days)}
    left join (
      select e.ts::date as day,
        count(*) filter (where ${isOpened('e')}) as opens,
        count(*) filter (where ${isClicked('e')}) as clicks,
        count(*) filter (where e.type = 'open' and ${isMachine('e')}) as opens_machine,
        count(*) filter (where e.type = 'click' and ${isMachine('e')}) as clicks_machine
      from ${eventsOf(filter)} and e.type in ('open', 'click')
      group by 1
    ) v on v.day = d.day
    order by d.day`.execute(db)
  return { days: rows }
}

export async function readBounces(db: Db, filter: ViewFilter): Promise<DashboardView<'bounces'>> {
  const { rows } = await sql<Row<DashboardView<'bounces'>>>`
    select ${bounceClass('e')} as class, ${isHard('e')} as hard,
      count(distinct (e.campagne_id, e.member_id)) as people
    from ${eventsOf(filter)} and e.type = 'bounce' group by 1, 2 order by 3 desc limit 12`.execute(db)
  return { rows }
}

/**
 * Complaints and unsubscribes by day, and the number of accepted mails they relate to. People are counted, as in the
 * reports: repeated complaints about a campaign count on the first day only, and an address that leaves several
 * datasources on one day counts once.
 */
export async function readComplaints(db: Db, filter: ViewFilter): Promise<DashboardView<'complaints'>> {
  const { days: volume } = await readVolume(db, filter)
  const days = await sql<Day<DashboardView<'complaints'>>>`
      select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(complaints, 0) as complaints,
        coalesce(unsubscribes, 0) as unsubscribes
      from ${everyDay(filter.days)}
      left join (
        select day, count(*) filter (where type = 'complaint') as complaints,
          count(*) filter (where type = 'unsubscribe') as unsubscribes
        from (
          select e.type, e.ts::date as day, e.campagne_id,
            row_number() over (
              partition by e.type, e.ts::date, coalesce(lower(e.email), e.member_id::text)
              order by e.campagne_id is null, e.event_id
            ) as nth
          from ${eventsOf(filter)} and e.type in ('complaint', 'unsubscribe')
            and (e.campagne_id is null or ${isOfRecipient('e')})
            and not exists (
              select 1 from event f
              where f.client_id = e.client_id and f.member_id = e.member_id and f.type = e.type
                and f.campagne_id is not distinct from e.campagne_id and (f.ts, f.event_id) < (e.ts, e.event_id)
            )
        ) said
        where campagne_id is not null or nth = 1
        group by 1
      ) v on v.day = d.day
      order by d.day`.execute(db)
  return { days: days.rows, sent: volume.reduce((sum, { sent }) => sum + sent, 0) }
}

/** The ten links clicked by most people; the same URL in several mails counts as one link. */
export async function readLinks(db: Db, filter: ViewFilter): Promise<DashboardView<'links'>> {
  const { rows } = await sql<Row<DashboardView<'links'>>>`
    with hit as (
      select e.campagne_id, e.link_index, e.member_id, count(*) as clicks
      from ${eventsOf(filter)} and ${isClicked('e')}
        and e.campagne_id is not null
      group by 1, 2, 3
    ), link as (
      select c.campagne_id, (l ->> 'index')::int as link_index, l ->> 'url' as url, l ->> 'name' as name
      from campaign c, jsonb_array_elements(coalesce(c.snapshot -> 'links', '[]')) as l
      where c.client_id = ${filter.clientId} and c.campagne_id in (select campagne_id from hit)
    )
    select url, max(name) as name, count(distinct member_id) as people, sum(clicks) as clicks
    from hit join link using (campagne_id, link_index)
    where url is not null
    group by url order by people desc, url limit 10`.execute(db)
  return { rows }
}

export async function readProviders(db: Db, filter: ViewFilter): Promise<DashboardView<'providers'>> {
  const { rows } = await sql<Row<DashboardView<'providers'>>>`
    select p.provider_id, p.name, count(*) filter (where ${isSent('l')}) as sent,
      count(*) filter (where ${isAccepted('l')}) as accepted,
      count(*) filter (where ${isWaiting('l')}) as waiting
    from (select l.provider_id, l.state from ${deliveriesOf(filter)}
      and (l.recorded_at >= ${since(filter.days)} or l.recorded_at is null)
      and l.state not in ('skipped', 'cancelled')
      and (${isSent('l')} or l.campagne_id not in (
        select campagne_id from campaign where client_id = ${filter.clientId} and deleted_at is not null))) l
    join provider p using (provider_id)
    group by 1, 2 order by 3 desc, 2 limit 12`.execute(db)
  return { rows }
}

const { running, preparing, paused, held, scheduled } = campaignState

/** Campaigns being sent first, then waiting ones. */
export async function readQueue(db: Db, { clientId }: ViewFilter): Promise<DashboardView<'queue'>> {
  const { rows } = await sql<Row<DashboardView<'queue'>>>`
    select campagne_id, name, valid, startdate, progress_cur, estimated_volume from campaign
    where client_id = ${clientId} and deleted_at is null and ctype <> all(${transactionalTypes}::int[])
      and valid = any(${[running, preparing, paused, held, scheduled]}::int[])
    order by array_position(${[running, preparing, paused, held, scheduled]}::int[], valid::int), startdate, campagne_id
    limit 12`.execute(db)
  return { rows }
}
