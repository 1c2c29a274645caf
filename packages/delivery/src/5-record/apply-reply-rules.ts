import { fault } from '@emma/contract/faults.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { suppressForClient } from '@emma/core/audience/blacklists/suppress-for-client.ts'
import { sql } from 'kysely'
import { cleanReply } from '../model/clean-reply.ts'
import { addNotificationOnce } from '@emma/core/notifications/add-notification-once.ts'
import { countReplies, type DueHits, type RuleHits } from './count-replies.ts'
import { addressKey } from '@emma/mail/address.ts'

const WITHOUT_CONSEQUENCE = new Set(['none', 'deactivate', 'retry_after'])

/**
 * Applies reply rules: counts hits per rule and object in its window, and on reaching the threshold runs the rule's
 * action once, with one notification.
 */
export async function applyReplyRules(db: Db, batch: readonly RuleHits[]): Promise<void> {
  await transaction(db, async tx => {
    // One engine at a time: an action must not be repeated by another.
    await sql`select pg_advisory_xact_lock(hashtextextended('act on replies', 0))`.execute(tx)
    const due = await countReplies(
      tx,
      batch.filter(({ rule }) => !WITHOUT_CONSEQUENCE.has(rule.action)),
    )
    const done = await act(tx, onceEach(due))
    await log(tx, done)
    await report(tx, done)
    await countHits(tx, batch)
  })
}

/** Two rules with the same action on the same object run it once. */
function onceEach(due: readonly DueHits[]): DueHits[] {
  return [...Map.groupBy(due, ({ rule, object }) => `${rule.action} ${object}`).values()].flatMap(
    ([first]) => first ?? [],
  )
}

/** @returns the actions that had an effect: a paused campaign is not paused again, nor an address suppressed twice */
async function act(tx: Db, due: readonly DueHits[]): Promise<DueHits[]> {
  const of = (action: string) => due.filter(({ rule }) => rule.action === action)
  return [
    ...of('backoff_provider'),
    ...of('quarantine_ip'),
    ...(await pause(tx, of('pause_campaign'))),
    ...(await suppress(tx, of('blacklist'))),
  ]
}

async function pause(tx: Db, due: readonly DueHits[]): Promise<DueHits[]> {
  const paused: DueHits[] = []
  for (const hits of due) {
    const { clientId, campaignId, reply } = hits
    const isPaused =
      campaignId !== null &&
      (await transition(
        tx,
        { clientId, campaignId },
        {
          from: [campaignState.running],
          to: campaignState.paused,
          reason: fault('campaign.refused', { reply: cleanReply(reply) }),
        },
      ))
    if (isPaused) paused.push(hits)
  }
  return paused
}

/** The client's list that rules write to. */
const LIST = 'Reply rules'

async function suppress(tx: Db, due: readonly DueHits[]): Promise<DueHits[]> {
  const added = await suppressForClient(
    tx,
    { name: LIST, match: 'email' },
    due.map(hits => ({
      clientId: hits.clientId,
      value: addressOf(hits),
      reason: cleanReply(hits.reply).slice(0, 250),
      source: `scd-rule ${hits.rule.id}`,
    })),
  )
  return due.filter(hits => added.has(`${hits.clientId}/${addressOf(hits)}`))
}

function addressOf({ email }: DueHits): string {
  return email === null ? '' : addressKey(email)
}

async function log(tx: Db, done: readonly DueHits[]): Promise<void> {
  if (done.length === 0) return
  const column = <K extends keyof DueHits>(name: K) => done.map(hits => hits[name])
  const lasting = done.map(({ rule, scale }) =>
    rule.action === 'backoff_provider' || rule.action === 'quarantine_ip' ? rule.minutes * 60 * scale : null,
  )
  await sql`
    insert into scd_action (rule_id, action, object, client_id, campagne_id, mailclass_id, provider_id, send_ip, email,
      reply, window_start, hits, acted_at, until)
    select rule_id, action, object, client_id, campagne_id, mailclass_id, provider_id, send_ip, email, reply, first,
      hits, clock_timestamp(), clock_timestamp() + make_interval(secs => seconds)
    from unnest(
      ${done.map(({ rule }) => rule.id)}::bigint[], ${done.map(({ rule }) => rule.action)}::text[],
      ${column('object')}::text[], ${column('clientId')}::bigint[], ${column('campaignId')}::bigint[],
      ${column('mailclassId')}::bigint[], ${column('providerId')}::bigint[], ${column('sendIp')}::text[],
      ${column('email')}::text[], ${done.map(({ reply }) => cleanReply(reply))}::text[],
      ${column('first')}::timestamptz[], ${column('count')}::int[], ${lasting}::float8[]
    ) as d (rule_id, action, object, client_id, campagne_id, mailclass_id, provider_id, send_ip, email, reply, first,
      hits, seconds)
    -- The same first reply once more: a batch that was written again after its connection broke.
    on conflict (client_id, rule_id, object, window_start) do update
      set hits = excluded.hits, acted_at = excluded.acted_at, until = excluded.until`.execute(tx)
}

/** Adds to the hit count of each rule, whatever follows. */
async function countHits(tx: Db, batch: readonly RuleHits[]): Promise<void> {
  await sql`
    update scd_rule r set hits = r.hits + counted.hits
    from (
      select id, sum(count) as hits
      from unnest(${batch.map(({ rule }) => rule.id)}::bigint[], ${batch.map(({ count }) => count)}::int[]) as h (id, count)
      group by id
    ) counted
    where r.id = counted.id`.execute(tx)
}

/** One notification per object; addresses suppressed by one rule share one. */
async function report(tx: Db, done: readonly DueHits[]): Promise<void> {
  const news = Map.groupBy(done, ({ rule, clientId, object }) =>
    rule.action === 'blacklist' ? `${rule.id} ${clientId}` : `${rule.id} ${object}`,
  )
  for (const [first, ...others] of news.values()) if (first) await tellAction(tx, first, 1 + others.length)
}

async function tellAction(tx: Db, hits: DueHits, count: number): Promise<void> {
  const { rule, object, clientId, campaignId, reply, providerId, email } = hits
  const { rows } = await sql<{ rule: string; provider: string | null; campaign: string | null }>`
    select r.name as rule, (select name from provider where provider_id = ${providerId}) as provider,
      (select name from campaign where client_id = ${clientId} and campagne_id = ${campaignId}) as campaign
    from scd_rule r where r.id = ${rule.id}`.execute(tx)
  const [names] = rows
  if (!names) return
  const details = {
    rule: names.rule,
    rule_id: rule.id,
    object,
    provider: names.provider ?? '',
    campaign: names.campaign ?? '',
    email: email ?? '',
    count,
    minutes: rule.minutes,
    reply: cleanReply(reply).slice(0, 200),
  }
  const code = rule.action === 'blacklist' && count > 1 ? 'scd_blacklist_several' : `scd_${rule.action}`
  const common = { clientId, permission: 'EmmaCampaign:get', code, details, text: textOf(code, details) }
  // A campaign that was resumed and is paused again causes a new notification.
  if (rule.action === 'pause_campaign')
    await addNotification(tx, { ...common, kind: 'warning', path: `/campaigns/start/${campaignId}` })
  // Contains an address: only for users who may see members.
  else if (rule.action === 'blacklist')
    await addNotificationOnce(
      tx,
      { ...common, permission: 'EmmaMember:get', kind: 'info' },
      { rule_id: rule.id },
    )
  else await addNotificationOnce(tx, { ...common, kind: 'warning' }, { rule_id: rule.id, object })
}

function textOf(
  code: string,
  { rule, provider, campaign, email, count, minutes, reply }: Record<string, string | number>,
): string {
  switch (code) {
    case 'scd_backoff_provider':
      return `${provider} gets no mail for ${minutes} minutes (${rule}): ${reply}`
    case 'scd_quarantine_ip':
      return `An IP is left out of use for ${minutes} minutes (${rule}): ${reply}`
    case 'scd_pause_campaign':
      return `The campaign “${campaign}” is paused (${rule}): ${reply}`
    case 'scd_blacklist_several':
      return `${count} addresses are suppressed, ${email} among them (${rule}): ${reply}`
    default:
      return `${email} is suppressed (${rule}): ${reply}`
  }
}
