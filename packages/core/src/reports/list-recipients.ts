import type * as contract from '@emma/contract/actions/reports.ts'
import { variantLetters } from '@emma/contract/split.ts'
import type { Db } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { letterOfVariant } from '../campaigns/split/variant-letter.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Page } from '../resource/operations.ts'
import {
  bounceClass,
  hasBounced,
  isClicked,
  isHard,
  isHuman,
  isOfMember,
  isOpened,
  isSent,
  isWaiting,
} from './counted.ts'

/** Filter for recipients of a report. */
type RecipientsAsked = z.output<typeof contract.downloadReport.query>

/** A page of the recipients that a figure counts. */
export type RecipientQuery = z.output<typeof contract.listRecipients.query>

type Recipient = z.output<typeof contract.recipientRow>

/** Time of the recipient's first event of each type, ISO 8601; null without one. */
type FirstTimes = Record<
  'open_at' | 'click_at' | 'unsubscribe_at' | 'complaint_at' | 'bounce_at',
  string | null
>

export type ExportedRecipient = Recipient & Partial<FirstTimes>

/** Ledger rows of a campaign's members, filtered by figure, state, skip reason or events. */
export async function listRecipients(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
  query: RecipientQuery,
): Promise<Page<Recipient>> {
  const clientId = await clientOf(db, actor, scope, campaignId)
  const where = recipientsLike(clientId, campaignId, query)
  const total = await sql<{ total: number }>`select count(*) as total from delivery d where ${where}`.execute(
    db,
  )
  return { data: await readPage(db, where, query), included: [], total: total.rows[0]?.total ?? 0 }
}

const EXPORT_STEP = 1000

/**
 * All recipients that match `query`, each with the first open, click, unsubscribe, complaint and bounce, as the figures
 * count them. Pages by member id, so that rows which change state meanwhile are neither repeated nor missed.
 */
export async function* exportRecipients(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
  query: RecipientsAsked,
): AsyncGenerator<ExportedRecipient> {
  const clientId = await clientOf(db, actor, scope, campaignId)
  for (let after = 0; ; ) {
    const where = sql`${recipientsLike(clientId, campaignId, query)} and d.member_id > ${after}`
    const rows = await readPage(db, where, { ...query, limit: EXPORT_STEP, offset: 0 })
    const ids = rows.map(row => row.member_id)
    const times = await readFirstTimes(db, clientId, campaignId, ids)
    yield* rows.map(row => ({ ...row, ...times.get(row.member_id) }))
    if (rows.length < EXPORT_STEP) return
    after = ids.at(-1) ?? after
  }
}

async function clientOf(db: Db, actor: Actor, scope: TenantScope, campaignId: number): Promise<number> {
  const campaign = await campaignOperations.find(db, actor, scope, campaignId)
  return campaign.client_id
}

function recipientsLike(clientId: number, campaignId: number, query: RecipientsAsked): RawBuilder<unknown> {
  const conditions = [sql`d.client_id = ${clientId} and d.campagne_id = ${campaignId} and ${isOfMember('d')}`]
  if (query.state) conditions.push(sql`d.state = ${query.state}::delivery_state`)
  if (query.figure) conditions.push(figures[query.figure])
  if (query.reason) conditions.push(sql`d.skip_reason = ${query.reason}::skip_reason`)
  if (query.search) conditions.push(sql`d.email ilike ${likePattern(query.search)}`)
  if (query.provider_id !== undefined) conditions.push(sql`d.provider_id = ${query.provider_id}`)
  if (query.variant) conditions.push(getsVariant(query.variant))
  if (query.event) {
    conditions.push(sql`exists (select ${eventsLike(query)})`)
    if (query.verdict === 'machine')
      conditions.push(sql`not exists (select ${eventsLike({ ...query, verdict: 'human' })})`)
  }
  return sql.join(conditions, sql` and `)
}

async function readPage(db: Db, where: RawBuilder<unknown>, query: RecipientQuery): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select d.member_id, d.email, d.state, d.skip_reason, d.attempts, d.smtp_code, d.enhanced, d.reply, d.class, d.hard,
      d.recorded_at, p.name as provider, ${letterOfVariant('d', 'c')} as variant,
      last.event_at, last.verdict, last.verdict_reason
    from delivery d
    join campaign c on c.client_id = d.client_id and c.campagne_id = d.campagne_id
    left join provider p on p.provider_id = d.provider_id
    left join lateral (${lastEvent(query)}) as last on true
    where ${where} order by d.member_id limit ${query.limit} offset ${query.offset}`.execute(db)
  return rows
}

/** The parts of an A/B test as its report counts them (count-variants.ts). */
function getsVariant(variant: NonNullable<RecipientsAsked['variant']>): RawBuilder<unknown> {
  if (variant === 'rest') return sql`d.variant is null and d.state <> 'skipped'`
  return sql`d.variant = ${variantLetters.indexOf(variant)} and d.state <> 'skipped'`
}

/** The last event that matches the filter, with its verdict if it is an open or click. */
function lastEvent(query: RecipientsAsked) {
  if (!query.event)
    return sql`select null::timestamptz as event_at, null::text as verdict, null::text as verdict_reason`
  return sql`select e.ts as event_at, e.verdict::text as verdict, e.verdict_reason ${eventsLike(query)}
    order by e.ts desc limit 1`
}

/** Time of each recipient's first event of each type; null where there is none. */
async function readFirstTimes(db: Db, clientId: number, campaignId: number, ids: readonly number[]) {
  const { rows } = await sql<FirstTimes & { member_id: number }>`
    select e.member_id,
      min(e.ts) filter (where ${isOpened('e')}) as open_at,
      min(e.ts) filter (where ${isClicked('e')}) as click_at,
      min(e.ts) filter (where e.type = 'unsubscribe') as unsubscribe_at,
      min(e.ts) filter (where e.type = 'complaint') as complaint_at,
      min(e.ts) filter (where e.type = 'bounce') as bounce_at
    from event e
    where e.client_id = ${clientId} and e.campagne_id = ${campaignId} and e.member_id = any(${ids}::bigint[])
    group by 1`.execute(db)
  return new Map(rows.map(row => [row.member_id, row]))
}

/** The conditions of the figures in read-figures.ts. */
const figures = {
  answered: isSent('d'),
  waiting: isWaiting('d'),
  delivered: sql`${isSent('d')} and not ${hasBounced('d')}`,
}

/** Events of the ledger row `d` that match the filter. */
function eventsLike(query: RecipientsAsked) {
  const conditions = [
    sql`e.client_id = d.client_id and e.campagne_id = d.campagne_id and e.member_id = d.member_id`,
  ]
  if (query.event === 'hit') conditions.push(sql`e.type in ('open', 'click')`)
  else conditions.push(sql`e.type = ${query.event}::event_type`)
  if (query.link_index !== undefined) conditions.push(sql`e.link_index = ${query.link_index}`)
  if (query.verdict === 'human') conditions.push(isHuman('e'))
  if (query.device) conditions.push(sql`coalesce(nullif(e.device, ''), 'other') = ${query.device}`)
  if (query.agent_client)
    conditions.push(sql`coalesce(nullif(e.agent_client, ''), 'other') = ${query.agent_client}`)
  if (query.class) conditions.push(sql`${bounceClass('e')} = ${query.class}`)
  if (query.hard !== undefined) conditions.push(sql`${isHard('e')} = ${query.hard}`)
  return sql`from event e where ${sql.join(conditions, sql` and `)}`
}
