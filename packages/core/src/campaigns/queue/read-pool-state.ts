import type { CampaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { poolFault } from '../../deliverability/pool-fault.ts'

/** Domains of the pool that a campaign was started with, its own first, each with the reason why it is not used now. */
export async function readPoolState(
  db: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
): Promise<CampaignQueue['domains']> {
  const { rows } = await sql<CampaignQueue['domains'][number]>`
    select own.name, null as fault, 0 as place
    from campaign c
    join domain own on own.client_id = c.client_id and own.domain_id = c.domain_id
    where c.client_id = ${clientId} and c.campagne_id = ${campaignId} and c.snapshot -> 'pool' is not null
    union all
    -- One that was renamed is another domain.
    select pool.domain ->> 'name', case when d.domain_id is null then 'deleted' else ${poolFault('d', 'own')} end, place
    from campaign c
    join domain own on own.client_id = c.client_id and own.domain_id = c.domain_id
    cross join lateral (
      select value -> 'domain' as domain, ordinality as place
      from jsonb_array_elements(coalesce(c.snapshot -> 'pool', '[]')) with ordinality
    ) pool
    left join domain d on d.client_id = c.client_id and d.domain_id = (pool.domain ->> 'id')::bigint
      and d.name = pool.domain ->> 'name'
    where c.client_id = ${clientId} and c.campagne_id = ${campaignId}
    order by place`.execute(db)
  return rows.map(({ name, fault }) => ({ name, fault }))
}
