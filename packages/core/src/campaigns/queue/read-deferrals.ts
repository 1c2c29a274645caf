import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Deferred emails that are read per provider, which bounds the time of a call. */
const MOST_DEFERRALS = 5_000

/** Groups that are returned, the largest first. */
const MOST_GROUPS = 50

/** Deferred emails of a campaign by provider and reply codes: of many, those that are tried again first. */
export async function readDeferrals(
  db: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
  withReplies: boolean,
): Promise<{ rows: CampaignQueue['deferrals']; hasMore: boolean }> {
  const { rows } = await sql<CampaignQueue['deferrals'][number] & { has_more: boolean }>`
    with deferred as (
      select d.* from provider p cross join lateral (
        select provider_id, smtp_code, enhanced, class, attempts, due_at, reply from delivery
        where client_id = ${clientId} and campagne_id = ${campaignId} and provider_id = p.provider_id
          and state = 'deferred'
        order by due_at
        limit ${MOST_DEFERRALS}
      ) d
    ), grouped as (
      select provider_id, smtp_code as code, enhanced, class, count(*) as count, max(attempts) as attempts,
        min(due_at) as next_at, case when ${withReplies} then left(max(reply), 300) end as reply
      from deferred group by 1, 2, 3, 4
    )
    select g.provider_id, p.name as provider, code, g.enhanced, g.class, count, attempts, next_at, reply,
      (select max(all_of) from (select sum(count) as all_of from grouped group by provider_id) sums)
        = ${MOST_DEFERRALS} as has_more
    from grouped g join provider p using (provider_id)
    order by count desc, p.name, code, g.enhanced, g.class
    limit ${MOST_GROUPS}`.execute(db)
  return { rows: rows.map(({ has_more: _, ...row }) => row), hasMore: rows[0]?.has_more ?? false }
}
