import type { Sql } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import { sql as raw } from 'kysely'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Page } from '../resource/operations.ts'

/** The people behind a figure of a report. */
export interface RecipientQuery {
  limit: number
  offset: number
  search?: string | undefined
  state?: string | undefined
  figure?: 'answered' | 'delivered' | 'waiting' | undefined
  reason?: string | undefined
  event?: string | undefined
  link_index?: number | undefined
  /** Opens and clicks by humans, or of people for whom only machines opened and clicked. */
  verdict?: 'human' | 'machine' | undefined
  device?: string | undefined
  agent_client?: string | undefined
  class?: string | undefined
  hard?: boolean | undefined
  provider_id?: number | undefined
}

/** Ledger rows of a campaign, narrowed to a state, a skip reason, or those with an event. */
export async function listRecipients(
  sql: Sql,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
  query: RecipientQuery,
): Promise<Page> {
  const campaign = await campaignOperations.find(sql, actor, scope, campaignId)
  const clientId = Number(campaign.client_id)
  const conditions = [raw`d.client_id = ${clientId} and d.campagne_id = ${campaignId}`]
  if (query.state) conditions.push(raw`d.state = ${query.state}::delivery_state`)
  if (query.figure) conditions.push(figures[query.figure])
  if (query.reason) conditions.push(raw`d.skip_reason = ${query.reason}::skip_reason`)
  if (query.search) conditions.push(raw`d.email ilike ${likePattern(query.search)}`)
  if (query.provider_id !== undefined) conditions.push(raw`d.provider_id = ${query.provider_id}`)
  if (query.event) {
    conditions.push(raw`exists (select ${eventsLike(query)})`)
    if (query.verdict === 'machine')
      conditions.push(raw`not exists (select ${eventsLike({ ...query, verdict: 'human' })})`)
  }
  const where = raw.join(conditions, raw` and `)
  const rows = await raw<Record<string, unknown>>`
    select d.member_id, d.email, d.state, d.skip_reason, d.attempts, d.smtp_code, d.enhanced, d.reply, d.class, d.hard,
      d.recorded_at, p.name as provider, hit.verdict, hit.verdict_reason
    from delivery d left join provider p using (provider_id) left join lateral (${lastHit(query)}) as hit on true
    where ${where} order by d.member_id limit ${query.limit} offset ${query.offset}`.execute(sql)
  const total = await raw<{ total: number }>`select count(*) as total from delivery d where ${where}`.execute(
    sql,
  )
  return { data: rows.rows, included: [], total: total.rows[0]?.total ?? 0 }
}

/** The verdict on the last open or click that the question is about; of any, where it is about people without a human one. */
function lastHit(query: RecipientQuery) {
  if (!['open', 'click', 'hit'].includes(query.event ?? ''))
    return raw`select null::text as verdict, null::text as verdict_reason`
  return raw`select e.verdict::text as verdict, e.verdict_reason ${eventsLike(query)} order by e.ts desc limit 1`
}

/** As read-figures.ts counts them. */
const figures = {
  answered: raw`d.state in ('sent', 'rejected')`,
  waiting: raw`d.state in ('pending', 'claimed', 'deferred')`,
  delivered: raw`d.state in ('sent', 'rejected') and not exists (
    select from event e where e.client_id = d.client_id and e.campagne_id = d.campagne_id
      and e.member_id = d.member_id and e.type = 'bounce')`,
}

/** Events of the ledger row `d` that the question is about. */
function eventsLike(query: RecipientQuery) {
  const conditions = [
    raw`e.client_id = d.client_id and e.campagne_id = d.campagne_id and e.member_id = d.member_id`,
  ]
  // As in the figures: test addresses open and click without being counted.
  if (query.event !== 'bounce') conditions.push(raw`e.member_id > 0`)
  if (query.event === 'hit') conditions.push(raw`e.type in ('open', 'click')`)
  else conditions.push(raw`e.type = ${query.event}::event_type`)
  if (query.link_index !== undefined) conditions.push(raw`e.link_index = ${query.link_index}`)
  if (query.verdict === 'human') conditions.push(raw`e.verdict = 'human'`)
  if (query.device) conditions.push(raw`coalesce(nullif(e.device, ''), 'other') = ${query.device}`)
  if (query.agent_client)
    conditions.push(raw`coalesce(nullif(e.agent_client, ''), 'other') = ${query.agent_client}`)
  if (query.class) conditions.push(raw`coalesce(e.class, 'other') = ${query.class}`)
  if (query.hard !== undefined) conditions.push(raw`coalesce(e.hard, false) = ${query.hard}`)
  return raw`from event e where ${raw.join(conditions, raw` and `)}`
}
