import type { Sql } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { ClaimedRow } from '../outcome.ts'

/**
 * Writes the new addresses of claimed rows into the ledger, with who receives their mail. The rows are not sent now: they
 * go back and are claimed again, under the limits of the new receiver.
 *
 * @param lease the engine that has claimed them
 */
export async function followAddresses(
  sql: Sql,
  lease: string,
  moved: readonly { row: ClaimedRow; movedTo: string }[],
): Promise<void> {
  if (moved.length === 0) return
  await raw`
    update delivery d
    set email = moved.email, provider_id = coalesce(
      (select min(provider_id) from provider, unnest(domains) as written
        where deleted_at is null and lower(written) = moved.domain),
      (select received.provider_id from receiving_domain received where received.domain = moved.domain), 0)
    from (
      select client_id, campagne_id, member_id, email, split_part(lower(email), '@', -1) as domain
      from unnest(${moved.map(({ row }) => row.clientId)}::int[], ${moved.map(({ row }) => row.campaignId)}::bigint[],
        ${moved.map(({ row }) => row.memberId)}::bigint[], ${moved.map(({ movedTo }) => movedTo)}::text[])
        as m (client_id, campagne_id, member_id, email)
    ) moved
    where d.client_id = moved.client_id and d.campagne_id = moved.campagne_id and d.member_id = moved.member_id
      and d.lease = ${lease}::uuid and d.state = 'claimed'`.execute(sql)
}
