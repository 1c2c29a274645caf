import { createHash } from 'node:crypto'
import { type ApprovalPart, approvalParts } from '@emma/contract/approval.ts'
import { brandFieldNames } from '@emma/contract/client-brand.ts'
import { split as splitField } from '@emma/contract/split.ts'
import type { Db } from '@emma/db/connection.ts'
import { isSameOrganisation } from '@emma/mail/domain.ts'
import { insertedModules } from '@emma/mail/template/modules.ts'
import { type RawBuilder, sql } from 'kysely'
import { type VariantSettings, variantsOf } from '../split/variants.ts'

/** A campaign, or a recurring campaign. */
export interface ApprovalSubject {
  clientId: number
  subject: 'campaign' | 'recurring'
  id: number
}

/** What is approved: hashes of everything that would be sent. */
export interface Sent {
  /** Over all parts. */
  hash: string
  parts: Record<ApprovalPart, string>
  /** Planned start; null: as soon as it is started. */
  startdate: string | null
  /** Revisions of all records that were read: the same ones have the same content. */
  revisions: string
}

/**
 * Hashes everything that a campaign sends: content of all variants and languages, subjects, senders, audience, times,
 * A/B test and delivery options. All of it is read by one statement, and is therefore of one moment. Of feeds it covers
 * the address, of suppression lists which ones are used, but not what they contain.
 *
 * @returns null if there is no such campaign
 */
export async function readSent(db: Db, of: ApprovalSubject): Promise<Sent | null> {
  const { rows } = await sql<SentRow>`
    with s as (${of.subject === 'campaign' ? campaignSettings(of) : recurringSettings(of)}),
    m as (
      select m.* from message m join s on s.client_id = m.client_id
      where m.deleted_at is null and (m.message_id = s.message_id or m.message_id in (
        select (v ->> 'message_id')::bigint from jsonb_array_elements(s.split -> 'variants') v)))
    select s.*,
      (select coalesce(jsonb_agg(to_jsonb(m) - ${unsentOfMessage}::text[] order by m.message_id), '[]') from m) as messages,
      (select coalesce(jsonb_agg(to_jsonb(l) order by l.message_id, l.link_index), '[]')
        from message_link l join m on m.client_id = l.client_id and m.message_id = l.message_id) as links,
      (select coalesce(jsonb_agg(to_jsonb(p) - ${unsentOfPlaceholder}::text[] order by p.module_id), '[]')
        from placeholder p where p.client_id = s.client_id and p.deleted_at is null) as modules,
      (select coalesce(jsonb_agg(to_jsonb(l) - ${unsentOfSegment}::text[] order by l.list_id), '[]')
        from list l where l.client_id = s.client_id and l.deleted_at is null
          and (l.list_id = s.list_id or l.list_id = any(s.exclude_list_ids)
            or l.list_id = (s.split ->> 'goal_list_id')::bigint)) as segments,
      (select coalesce(jsonb_agg(jsonb_build_object('id', b.blacklist_id, 'kind', b.kind, 'match', b.match,
          'revision', b.revision) order by b.blacklist_id), '[]')
        from blacklist b where b.client_id = s.client_id and b.deleted_at is null
          and b.blacklist_id = any(s.blacklist_ids)) as blacklists,
      (select to_jsonb(k) - ${[...unsent, 'name']}::text[] from capping k
        where k.client_id = s.client_id and k.capping_id = s.capping_id and k.deleted_at is null) as capping,
      (select coalesce(jsonb_agg(jsonb_build_object('id', d.domain_id, 'name', d.name,
          'return_path_host', d.return_path_host, 'tracking_host', d.tracking_host, 'revision', d.revision)
          order by d.domain_id), '[]')
        from domain d where d.client_id = s.client_id and d.deleted_at is null
          and (d.domain_id = s.domain_id or (s.use_domain_pool and s.esp_id is null and d.in_pool))) as domains,
      (select jsonb_build_object('id', w.mailclass_id, 'name', w.name, 'listid', w.listid, 'transport', w.transport,
          'track_clicks_opens', w.track_clicks_opens, 'mta_headers', w.mta_headers, 'revision', w.revision)
        from mailclass w
        where w.client_id = s.client_id and w.mailclass_id = s.mailclass_id and w.deleted_at is null) as mailclass,
      (select coalesce(jsonb_agg(jsonb_build_object('search', r.search, 'replace', r.replace, 'revision', r.revision)
          order by r."order", r.id), '[]')
        from esp_login e join esp_replacer r on r.client_id = e.client_id and r.esp = e.esp and r.deleted_at is null
        where e.client_id = s.client_id and e.id = s.esp_id) as replacers,
      (select jsonb_build_object(${sql.join(clientFields.flatMap(field => [sql.lit(field), sql.ref(`k.${field}`)]))})
        from client k where k.client_id = s.client_id) as client
    from s`.execute(db)
  return rows[0] ? hashed(rows[0]) : null
}

type Fields = Record<string, unknown>
type Sample = Fields & { message_id: number; subject: string; preheader: string | null }

interface SentRow extends VariantSettings {
  name: string
  split: unknown
  startdate: string | null
  list_id: number | null
  exclude_list_ids: number[]
  category_value_ids: number[]
  mailclass_id: number | null
  esp_id: number | null
  time: Fields
  audience: Fields
  delivery: Fields
  messages: Sample[]
  links: Fields[]
  modules: (Fields & { token: string; body: Record<string, string> })[]
  segments: (Fields & { list_id: number })[]
  blacklists: Fields[]
  capping: Fields | null
  send_once_key: string | null
  domain_id: number | null
  domains: { id: number; name: string }[]
  mailclass: Fields | null
  replacers: Fields[]
  client: Fields
}

/** Columns that change nothing in what is sent. */
const unsent = ['client_id', 'created_at', 'updated_at', 'created_by', 'updated_by', 'deleted_at', 'user_id']
const unsentOfMessage = [
  ...unsent,
  'name',
  'bee_json',
  'category',
  'collection',
  'is_template',
  'template_type',
]
const unsentOfSegment = [...unsent, 'name', 'count', 'counted_at']
// Each encryption of the same secret is different.
const unsentOfPlaceholder = [...unsent, 'name', 'feed_secret']

const clientFields = [
  'name',
  'address',
  'contact_email',
  'imprint',
  'language',
  'timezone',
  'quiet_from',
  'quiet_to',
  ...brandFieldNames,
  'revision',
] as const

const shared = sql`s.client_id, s.name, s.message_id, s.list_id, s.exclude_list_ids, s.blacklist_ids, s.domain_id,
  s.mailclass_id, s.esp_id, s.capping_id, s.category_value_ids, s.fromadr, s.fromname, s.reply_to, s.subject,
  s.use_domain_pool, s.send_once_key, s.split`

const sharedDelivery = sql`'throttle', s.throttle, 'throttle_unit', s.throttle_unit,
  'use_domain_pool', s.use_domain_pool, 'unknown_policy', s.unknown_policy,
  'check_placement', s.check_placement`

const sharedTimes = sql`'quiet_from', s.quiet_from, 'quiet_to', s.quiet_to, 'window_mails', s.window_mails,
  'window_minutes', s.window_minutes, 'send_order', s.send_order, 'order_column', s.order_column,
  'order_descending', s.order_descending, 'learned_time', s.learned_time`

/** Once a campaign is started, its time is that of the start, and the approved one is the planned one. */
function campaignSettings({ clientId, id }: ApprovalSubject): RawBuilder<unknown> {
  return sql`
    select ${shared},
      case when s.started_at is null then s.startdate else a.startdate end as startdate,
      jsonb_build_object(${sharedTimes}, 'local_time', s.local_time, 'local_past', s.local_past, 'missed_policy', s.missed_policy,
        'missed_minutes', s.missed_minutes) as time,
      jsonb_build_object(${sharedDelivery}) as delivery,
      jsonb_build_object('run_audience', s.run_audience) as audience
    from campaign s
    left join campaign_approval a
      on a.client_id = s.client_id and a.subject = 'campaign' and a.subject_id = s.campagne_id
    where s.client_id = ${clientId}::bigint and s.campagne_id = ${id}::bigint and s.deleted_at is null`
}

function recurringSettings({ clientId, id }: ApprovalSubject): RawBuilder<unknown> {
  return sql`
    select ${shared}, null::timestamptz as startdate,
      jsonb_build_object(${sharedTimes}, 'schedule', s.schedule, 'exceptions', s.exceptions,
        'missed_policy', s.missed_policy) as time,
      jsonb_build_object(${sharedDelivery}) as delivery,
      jsonb_build_object('trigger', s.trigger, 'date_column', s.date_column, 'offset_days', s.offset_days,
        'yearly', s.yearly, 'repeat_to', s.repeat_to, 'repeat_days', s.repeat_days,
        'skip_if_empty', s.skip_if_empty) as audience
    from recurring s
    where s.client_id = ${clientId}::bigint and s.recurring_id = ${id}::bigint and s.deleted_at is null`
}

function hashed(row: SentRow): Sent {
  const { startdate, mailclass_id, esp_id } = row
  const split = splitField.nullable().parse(row.split)
  const variants = variantsOf({ ...row, split })
  const messages = variants.map(variant => row.messages.find(each => each.message_id === variant.message_id))
  const texts = [...row.messages, ...variants].flatMap(each => textsOf(each))
  const inserted = insertedModules(
    texts,
    row.modules.map(({ token: name, body }) => ({ name, body })),
  )
  const modules = row.modules.filter(({ token }) => inserted.has(token))
  const { goal_list_id: goal = null } = split ?? {}
  const segments = (ids: readonly (number | null)[]) =>
    row.segments.filter(({ list_id }) => ids.includes(list_id))
  const values: Record<ApprovalPart, unknown> = {
    content: {
      name: row.name,
      messages: messages.map(message => ({ ...message, ...noSubject })),
      links: row.links,
      modules,
      replacers: row.replacers,
      client: row.client,
    },
    subject: variants.map(({ subject }, index) => [
      subject?.trim() ? subject : messages[index]?.subject,
      messages[index]?.preheader,
    ]),
    sender: {
      variants: variants.map(({ fromadr, fromname, reply_to }) => [fromadr, fromname, reply_to]),
      domains: usedDomains(row),
    },
    audience: {
      ...row.audience,
      included: segments([row.list_id]),
      excluded: segments(row.exclude_list_ids),
      blacklists: row.blacklists,
      capping: row.capping,
      sendOnceKey: row.send_once_key,
      categories: row.category_value_ids,
    },
    time: { ...row.time, startdate: startdate === null ? null : Date.parse(startdate) },
    split: { split, goal: segments([goal]) },
    delivery: { ...row.delivery, mailclass_id, esp_id, mailclass: row.mailclass },
  }
  const revisions: unknown[] = []
  const hashes = approvalParts.map(part => [part, sha256(withoutRevisions(values[part], revisions))] as const)
  return {
    hash: sha256(JSON.stringify(hashes)),
    parts: Object.fromEntries(hashes) as Record<ApprovalPart, string>,
    startdate,
    revisions: JSON.stringify(revisions),
  }
}

/** The campaign's domain, and those of the pool that it can rotate over; whether they are verified now does not matter. */
function usedDomains({ domain_id, domains }: Pick<SentRow, 'domain_id' | 'domains'>): SentRow['domains'] {
  const own = domains.find(({ id }) => id === domain_id)
  return domains.filter(({ id, name }) => id === domain_id || (own && isSameOrganisation(own.name, name)))
}

/** The subject is a part of its own. */
const noSubject = { subject: null, preheader: null }

function textsOf(record: object): string[] {
  return Object.values(record).map(value => (typeof value === 'string' ? value : JSON.stringify(value ?? '')))
}

/** JSON without the revisions of records, which are added to `revisions`. */
function withoutRevisions(value: unknown, revisions: unknown[]): string {
  return JSON.stringify(value, (name, each: unknown) => {
    if (name !== 'revision') return each
    revisions.push(each)
    return undefined
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
