import { campaignState, transactionalTypes } from '@emma/contract/campaign-states.ts'
import { type AlertMetric, LEAST_MAILS } from '@emma/contract/resources/alert.ts'
import type { Db } from '@emma/db/connection.ts'
import { type RawBuilder, sql } from 'kysely'
import { readQuota } from '../../audience/uploads/quota.ts'
import { isOfMember, isOfRecipient, isSent } from '../../reports/counted.ts'
import { quietHours } from '../limits/quiet-hours.ts'
import type { ClaimedAlert } from './claim-alerts.ts'

/** A figure as it is now. */
export interface Reading {
  /** Null: too little data. */
  value: number | null
  /** Names of what it is about. */
  subjects: string[]
  /** Time of the latest event (ISO 8601), of metrics that count events. */
  latest?: string | null
  /** What the next reading needs. */
  memory?: Memory
}

/** Campaigns that did not progress: their progress, and since when (ISO 8601). */
type Memory = Record<string, { progress: number; since: string }>

/** Most names in a message. */
const MOST_SUBJECTS = 5

type Read = (db: Db, alert: ClaimedAlert) => Promise<Reading>

const readers: Record<AlertMetric, Read> = {
  bounce_rate: (db, alert) => readRate(db, alert, 'bounce'),
  complaint_rate: (db, alert) => readRate(db, alert, 'complaint'),
  queue_stall: readStalls,
  domain_blocklisted: (db, { clientId }) =>
    readNames(
      db,
      sql`select name, null::timestamptz as at from domain
        where client_id = ${clientId} and is_blocklisted and deleted_at is null`,
    ),
  ip_blocked: (db, { clientId }) =>
    readNames(
      db,
      sql`select distinct coalesce(a.send_ip, m.name, '') as name, null::timestamptz as at
        from scd_action a
        left join mailclass m on m.client_id = a.client_id and m.mailclass_id = a.mailclass_id
        where a.client_id = ${clientId} and a.action = 'quarantine_ip' and a.acted_at is not null
          and a.undone_at is null and a.until > now()`,
    ),
  ipci_inbox: readInboxShare,
  import_failed: (db, alert) =>
    readNames(
      db,
      sql`select filename as name, finished_at as at from data_upload
        where client_id = ${alert.clientId} and status = 4 and finished_at >= ${start(alert)} and deleted_at is null`,
    ),
  quota: async (db, { clientId }) => {
    const { bytes_used, bytes_limit, rows_used, rows_limit } = await readQuota(db, clientId)
    return { value: 100 * Math.max(bytes_used / bytes_limit, rows_used / rows_limit), subjects: [] }
  },
  campaign_finished: (db, alert) =>
    readNames(
      db,
      sql`select name, finished_at as at from campaign
        where client_id = ${alert.clientId} and valid = ${campaignState.finished}
          and finished_at >= ${start(alert)} and deleted_at is null`,
    ),
}

export function readMetric(db: Db, alert: ClaimedAlert): Promise<Reading> {
  return readers[alert.metric](db, alert)
}

function start({ window }: ClaimedAlert): RawBuilder<unknown> {
  return sql`(now() - make_interval(mins => ${window}))`
}

/** Number of rows, the names of the latest, and when the latest was. */
async function readNames(db: Db, rows: RawBuilder<unknown>): Promise<Reading> {
  const found = await sql<{ value: number; latest: string | null; subjects: string[] | null }>`
    select count(*) as value, max(at) as latest,
      (array_agg(name order by at desc nulls last, name))[1:${sql.lit(MOST_SUBJECTS)}] as subjects
    from (${rows}) found`.execute(db)
  const [{ value, latest, subjects } = { value: 0, latest: null, subjects: null }] = found.rows
  return { value, latest, subjects: subjects ?? [] }
}

/**
 * Share of the recipients with a bounce or a complaint in the window, of the mails of the window; the figures of the
 * reports, by time.
 */
async function readRate(db: Db, alert: ClaimedAlert, type: 'bounce' | 'complaint'): Promise<Reading> {
  const { rows } = await sql<{ mails: number; people: number }>`
    select (
      select count(*) from delivery l
      where l.client_id = ${alert.clientId} and ${isOfMember('l')} and ${isSent('l')}
        and l.recorded_at >= ${start(alert)} and l.campagne_id = any(array(
          select c.campagne_id from campaign c
          where c.client_id = ${alert.clientId} and c.started_at is not null
            and (c.finished_at is null or c.finished_at >= ${start(alert)})))
    ) as mails, (
      select count(distinct (e.campagne_id, e.member_id)) from event e
      where e.client_id = ${alert.clientId} and e.type = ${type} and e.ts >= ${start(alert)}
        and ${isOfMember('e')} and ${isOfRecipient('e')}
    ) as people`.execute(db)
  const { mails, people } = rows[0] ?? { mails: 0, people: 0 }
  return { value: mails < LEAST_MAILS ? null : (100 * people) / mails, subjects: [] }
}

/** Share of the inbox in the mailboxes of the placement checks that ended in the window. */
async function readInboxShare(db: Db, alert: ClaimedAlert): Promise<Reading> {
  const { rows } = await sql<{ value: number | null; subjects: string[] | null }>`
    select 100.0 * count(*) filter (where r.placement = 'inbox') / nullif(count(*), 0) as value,
      array_agg(distinct r.provider) filter (where r.placement <> 'inbox') as subjects
    from ipci i
    join ipci_result r on r.client_id = i.client_id and r.ipci_id = i.ipci_id and r.placement is not null
    where i.client_id = ${alert.clientId} and i.valid = ${campaignState.finished} and i.deleted_at is null
      and i.finished_at >= ${start(alert)}`.execute(db)
  const { value, subjects } = rows[0] ?? { value: null, subjects: null }
  return { value: value === null ? null : Number(value), subjects: (subjects ?? []).slice(0, MOST_SUBJECTS) }
}

/**
 * Minutes for which the campaign that waits longest has made no progress although mails are due. Quiet hours do not
 * count.
 */
async function readStalls(db: Db, { clientId, memory }: ClaimedAlert): Promise<Reading> {
  const { rows } = await sql<{ id: string; name: string; progress: number; now: string }>`
    select c.campagne_id::text as id, c.name, c.progress_cur as progress, now() as now
    from campaign c join client using (client_id)
    where c.client_id = ${clientId} and c.valid = ${campaignState.running} and c.deleted_at is null
      and c.ctype not in (${sql.join(transactionalTypes.map(type => sql.lit(type)))})
      and (${quietHours.begins} is null or after_quiet(
        now(), client.timezone, (${quietHours.begins})::time, (${quietHours.ends})::time) <= now())
      and exists (
        select from delivery d where d.client_id = c.client_id and d.campagne_id = c.campagne_id
          and d.state in ('pending', 'deferred') and d.due_at <= now())
    order by c.campagne_id limit 1000`.execute(db)
  const kept: Memory = {}
  const stalls = rows.map(({ id, name, progress, now }) => {
    const before = memory?.[id]
    const { since } = (kept[id] = before?.progress === progress ? before : { progress, since: now })
    return { name, minutes: (Date.parse(now) - Date.parse(since)) / 60_000 }
  })
  const longest = stalls.toSorted((one, other) => other.minutes - one.minutes)
  return {
    value: Math.floor(longest[0]?.minutes ?? 0),
    subjects: longest
      .filter(({ minutes }) => minutes >= 1)
      .slice(0, MOST_SUBJECTS)
      .map(({ name }) => name),
    memory: kept,
  }
}
