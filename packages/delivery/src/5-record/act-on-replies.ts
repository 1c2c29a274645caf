import { campaignState } from '@emma/contract/campaign-states.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql as raw } from 'kysely'
import { cleanReply } from '../clean-reply.ts'
import type { ReplyRule } from './match-reply.ts'

/** Replies of one kind about one thing, gathered for a moment. */
export interface RuleHits {
  rule: ReplyRule
  /** What the rule acts upon. */
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
}

const WITHOUT_CONSEQUENCE = new Set(['none', 'deactivate', 'retry_after'])

/**
 * Writes down what replies lead to: counts hits of each rule and object in its window, and where they reach the rule's
 * threshold does what it says, once, with one notification.
 */
export async function actOnReplies(sql: Sql, batch: readonly RuleHits[]): Promise<void> {
  await transaction(sql, async tx => {
    await countHits(tx, batch)
    for (const hits of batch) {
      if (WITHOUT_CONSEQUENCE.has(hits.rule.action) || !(await reachesThreshold(tx, hits))) continue
      await act(tx, hits)
      await tell(tx, hits)
    }
  })
}

async function countHits(tx: Sql, batch: readonly RuleHits[]): Promise<void> {
  // In one order for all engines: they must not wait for each other.
  const sorted = batch.toSorted((a, b) => a.rule.id - b.rule.id || (a.object < b.object ? -1 : 1))
  await raw`
    update scd_rule r set hits = r.hits + counted.hits
    from (
      select id, sum(count) as hits
      from unnest(${sorted.map(({ rule }) => rule.id)}::int[], ${sorted.map(({ count }) => count)}::int[]) as h (id, count)
      group by id order by id
    ) counted
    where r.id = counted.id`.execute(tx)
}

/** Counts, and says whether it is this batch that makes the rule act. What still lasts is not done again. */
async function reachesThreshold(tx: Sql, hits: RuleHits): Promise<boolean> {
  const { rule, object } = hits
  const { rows } = await raw<{ id: number; due: boolean }>`
    insert into scd_action as a (rule_id, action, object, client_id, campagne_id, mailclass_id, provider_id, send_ip,
      email, reply, window_start, hits)
    values (${rule.id}, ${rule.action}, ${object}, ${hits.clientId}, ${hits.campaignId}, ${hits.mailclassId},
      ${hits.providerId}, ${hits.sendIp}, ${hits.email}, ${cleanReply(hits.reply)},
      date_bin(make_interval(mins => ${rule.window_minutes}), now(), 'epoch'), ${hits.count})
    on conflict (rule_id, object, window_start) do update set hits = a.hits + excluded.hits
    returning id, acted_at is null and a.hits >= ${rule.threshold} and not exists (
      select from scd_action lasting
      where lasting.object = ${object} and lasting.action = ${rule.action} and lasting.until > now()
        and lasting.undone_at is null
    ) as due`.execute(tx)
  const [row] = rows
  if (!row?.due) return false
  const isLasting = rule.action === 'backoff_provider' || rule.action === 'quarantine_ip'
  await raw`
    update scd_action set acted_at = now(), reply = ${cleanReply(hits.reply)},
      until = ${isLasting ? raw`now() + make_interval(secs => ${rule.minutes * 60 * hits.scale})` : raw`null`}
    where id = ${row.id}`.execute(tx)
  return true
}

async function act(tx: Sql, hits: RuleHits): Promise<void> {
  if (hits.rule.action === 'pause_campaign') await pause(tx, hits)
  if (hits.rule.action === 'blacklist' && hits.email !== null) await suppress(tx, hits, hits.email)
}

async function pause(tx: Sql, { clientId, campaignId, reply }: RuleHits): Promise<void> {
  const { rows } = await raw<{ name: string }>`
    update campaign set valid = ${campaignState.paused}, error = ${`Receivers refuse it: ${cleanReply(reply)}`},
      updated_at = now(), revision = revision + 1
    where client_id = ${clientId} and campagne_id = ${campaignId} and valid = ${campaignState.running}
    returning name`.execute(tx)
  for (const { name } of rows) {
    const data = { campagne_id: campaignId, name, valid: campaignState.paused }
    await publish(tx, { client_id: clientId, type: 'CAMPAIGN_STATUS', data })
  }
}

/** The client's list that rules write to. */
const LIST = 'Reply rules'

async function suppress(tx: Sql, { clientId, reply, rule }: RuleHits, email: string): Promise<void> {
  const { rows } = await raw<{ id: number }>`
    with known as (
      select blacklist_id from blacklist
      where client_id = ${clientId} and name = ${LIST} and kind = 'client' and match = 'email' and deleted_at is null
      order by blacklist_id limit 1
    ), made as (
      insert into blacklist (client_id, name, kind, match)
      select ${clientId}::int, ${LIST}, 'client', 'email' where not exists (select from known)
      returning blacklist_id
    )
    select blacklist_id as id from known union all select blacklist_id from made`.execute(tx)
  const listId = rows[0]?.id ?? null
  const { numAffectedRows } = await raw`
    insert into blacklist_entry (client_id, blacklist_id, value, reason, source)
    values (${clientId}, ${listId}, ${email.toLowerCase()}, ${cleanReply(reply).slice(0, 250)}, ${`scd-rule ${rule.id}`})
    on conflict do nothing`.execute(tx)
  await raw`
    update blacklist set count = count + ${numAffectedRows ?? 0n}, updated_at = now()
    where client_id = ${clientId} and blacklist_id = ${listId}`.execute(tx)
}

async function tell(
  tx: Sql,
  { rule, clientId, campaignId, reply, providerId, email }: RuleHits,
): Promise<void> {
  const { rows } = await raw<{ rule: string; provider: string | null; campaign: string | null }>`
    select r.name as rule, (select name from provider where provider_id = ${providerId}) as provider,
      (select name from campaign where client_id = ${clientId} and campagne_id = ${campaignId}) as campaign
    from scd_rule r where r.id = ${rule.id}`.execute(tx)
  const [names] = rows
  if (!names) return
  const details = {
    rule: names.rule,
    provider: names.provider ?? '',
    campaign: names.campaign ?? '',
    email: email ?? '',
    minutes: rule.minutes,
    reply: cleanReply(reply).slice(0, 200),
  }
  await addNotification(tx, {
    clientId,
    permission: 'EmmaCampaign:get',
    kind: rule.action === 'blacklist' ? 'info' : 'warning',
    code: `scd_${rule.action}`,
    details,
    text: textOf(rule.action, details),
    path: rule.action === 'pause_campaign' ? `/campaigns/start/${campaignId}` : null,
  })
}

function textOf(
  action: string,
  { rule, provider, campaign, email, minutes, reply }: Record<string, string | number>,
): string {
  switch (action) {
    case 'backoff_provider':
      return `${provider} gets no mail for ${minutes} minutes (${rule}): ${reply}`
    case 'quarantine_ip':
      return `An IP is left out of use for ${minutes} minutes (${rule}): ${reply}`
    case 'pause_campaign':
      return `The campaign “${campaign}” is paused (${rule}): ${reply}`
    default:
      return `${email} is suppressed (${rule}): ${reply}`
  }
}
