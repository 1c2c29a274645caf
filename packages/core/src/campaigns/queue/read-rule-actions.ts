import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { RouteLimitsRow } from '../../deliverability/volume/read-route-limits.ts'

type RuleAction = CampaignQueue['rule_actions'][number]

/** Actions that are returned, the latest first. */
const MOST_ACTIONS = 50

/** Suppressed addresses that are counted at most. */
const MOST_SUPPRESSED = 10_000

/**
 * What reply rules did because of replies to a campaign, and the back-offs and quarantines of its sending routes that
 * last. Suppressed addresses are one action per rule.
 */
export async function readRuleActions(
  db: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
  { routes, withReplies }: { routes: readonly RouteLimitsRow[]; withReplies: boolean },
): Promise<RuleAction[]> {
  const mailclasses = routes.map(route => route.mailclass_id)
  const ips = routes.flatMap(({ send_ip }) => send_ip ?? [])
  const { rows } = await sql<RuleAction>`
    with caused as (
      select id from scd_action
      where client_id = ${clientId} and campagne_id = ${campaignId} and acted_at is not null and action <> 'blacklist'
      order by acted_at desc
      limit ${MOST_ACTIONS}
    ), lasting as (
      select id from scd_action
      where client_id = ${clientId} and until > now() and undone_at is null and acted_at is not null
        and (mailclass_id = any(${mailclasses}::bigint[])
          or action = 'quarantine_ip' and send_ip = any(${ips}::text[]))
      order by acted_at desc
      limit ${MOST_ACTIONS}
    ), suppressed as (
      select max(id) as id, count(*) as count
      from (
        select id, rule_id from scd_action
        where client_id = ${clientId} and campagne_id = ${campaignId} and acted_at is not null
          and action = 'blacklist'
        order by acted_at desc
        limit ${MOST_SUPPRESSED}
      ) latest
      group by rule_id
    ), chosen as (
      select id, null::bigint as count from caused
      union select id, null from lasting
      union select id, count from suppressed
    )
    select a.id, r.name as rule, a.action, p.name as provider, m.name as mailclass, a.send_ip,
      coalesce(chosen.count, a.hits) as hits, case when ${withReplies} then a.reply end as reply, a.acted_at, a.until,
      a.undone_at, coalesce(a.until > now() and a.undone_at is null, false) as is_active
    from chosen
    join scd_action a on a.client_id = ${clientId} and a.id = chosen.id
    join scd_rule r on r.id = a.rule_id
    left join provider p on p.provider_id = a.provider_id
    left join mailclass m on m.client_id = a.client_id and m.mailclass_id = a.mailclass_id
    order by is_active desc, a.acted_at desc, a.id desc
    limit ${MOST_ACTIONS}`.execute(db)
  return rows
}
