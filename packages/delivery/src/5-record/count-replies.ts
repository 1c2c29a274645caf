import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { ReplyRule } from './match-reply.ts'

/** Replies that match one rule for one object, collected for a moment. */
export interface RuleHits {
  rule: ReplyRule
  /** Object of the rule's action. */
  object: string
  clientId: number
  campaignId: number
  mailclassId: number
  providerId: number
  sendIp: string | null
  email: string | null
  reply: string
  scale: number
  count: number
  /** Arrival times by performance.now(): the first ones, up to the rule's threshold. */
  times: readonly number[]
}

/** Hits that trigger the rule's action. */
export interface DueHits extends RuleHits {
  /** Arrival time of the first counted reply. */
  first: string
}

/** Seconds beyond the window for which a reply is stored: a disconnected engine records late. */
const LATE = 60

/**
 * Counts replies in the sliding windows of their rules, and returns those that reach the threshold within any span of
 * the window's length, over all engines. Replies from before the last action on an object, and while it lasts, count
 * towards that action and no other.
 *
 * Times are passed as ages and stored by the database's clock, so engine clocks need not agree. Ages are relative to
 * the start of the statement, because the transaction has waited for its lock.
 * @param tx one transaction at a time, over all engines
 */
export async function countReplies(tx: Db, batch: readonly RuleHits[]): Promise<DueHits[]> {
  if (batch.length === 0) return []
  const now = performance.now()
  const ages = batch.flatMap(({ times }, index) =>
    times.map(at => ({ n: index + 1, age: (now - at) / 1000 })),
  )
  const { rows } = await sql<{ n: number; hits: number; first: string }>`
    with asked as (
      select * from unnest(
        ${batch.map(({ rule }) => rule.id)}::bigint[], ${batch.map(({ object }) => object)}::text[],
        ${batch.map(({ rule }) => rule.action)}::text[], ${batch.map(({ rule }) => rule.threshold)}::int[],
        ${batch.map(({ rule }) => rule.window_minutes * 60)}::int[], ${batch.map(({ count }) => count)}::int[],
        ${batch.map(({ times }) => times.length)}::int[]
      ) with ordinality as a (rule_id, object, action, threshold, seconds, count, timed, n)
    ), judged as (
      select asked.*, last.client_id as last_client_id, last.id as last_id, last.until
      from asked left join lateral (
        select client_id, id, coalesce(undone_at, until, acted_at) as until from scd_action a
        where a.object = asked.object and a.action = asked.action and acted_at is not null
        order by acted_at desc
        limit 1
      ) last on true
    ), fresh as (
      select n, statement_timestamp() - make_interval(secs => age) as at
      from judged join unnest(${ages.map(({ n }) => n)}::bigint[], ${ages.map(({ age }) => age)}::float8[]) as h (n, age)
        using (n)
      where until is null or statement_timestamp() - make_interval(secs => age) > until
    ), late as (
      update scd_action a set hits = a.hits + case when fresh.count = 0 then judged.count else timed - fresh.count end
      from judged, lateral (select count(*)::int as count from fresh where fresh.n = judged.n) fresh
      where a.client_id = last_client_id and a.id = last_id and fresh.count < timed
    ), held as (
      select n, at
      from judged join scd_window using (rule_id, object), unnest(times) as at
      where until is null or at > until
    ), merged as (
      select n, array_agg(at order by at) as times
      from judged join (select * from fresh union all select * from held) every using (n)
      where at > now() - make_interval(secs => seconds + ${LATE}::int)
      group by n
    ), kept as (
      insert into scd_window (rule_id, object, times, expires_at)
      select rule_id, object, times, times[cardinality(times)] + make_interval(secs => seconds + ${LATE}::int)
      from merged join judged using (n)
      where threshold > 1
      on conflict (rule_id, object) do update set times = excluded.times, expires_at = excluded.expires_at
    )
    select n, cardinality(times) + count - timed as hits, times[1] as first
    from merged join judged using (n)
    where exists (
      select from (select at - lag(at, threshold - 1) over (order by at) as span from unnest(times) as at) spans
      where span <= make_interval(secs => seconds)
    )
    order by n`.execute(tx)
  const due = rows.flatMap(({ n, hits, first }) => {
    const found = batch[n - 1]
    return found ? [{ ...found, count: hits, first }] : []
  })
  await forget(tx, due)
  return due
}

/** Deletes replies that led to an action, and windows that have expired. */
async function forget(tx: Db, due: readonly RuleHits[]): Promise<void> {
  await sql`delete from scd_window where expires_at <= now()`.execute(tx)
  if (due.length === 0) return
  await sql`
    delete from scd_window w
    using unnest(${due.map(({ rule }) => rule.id)}::bigint[], ${due.map(({ object }) => object)}::text[])
      as d (rule_id, object)
    where w.rule_id = d.rule_id and w.object = d.object`.execute(tx)
}
