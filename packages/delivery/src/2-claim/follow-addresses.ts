import { membersTable } from '@emma/core/audience/datasources/datasource.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import type { ClaimedRow } from '../model/outcome.ts'
import { addressDomainOf } from '@emma/core/audience/address.ts'
import { mayHaveArrived } from '@emma/core/reports/counted.ts'

/** A claimed row whose member has another address than the row. */
export interface MovedRow {
  row: ClaimedRow
  movedTo: string
}

/**
 * Finds rows that moved to an address which already gets this campaign: of another member, who changed or was deleted
 * since, or of a seed. A waiting row counts only while its member still has the address, and not if it moved as well:
 * two members may have swapped addresses.
 *
 * The ledger has no index on addresses (it would make every expansion a third slower), so the campaign's rows are
 * scanned: 0.5 s for a million, and only for sets of rows with a changed address.
 */
export async function findDuplicates(
  db: Db,
  { clientId, campaignId, memberTableId }: CampaignKey & { memberTableId: number | null },
  moved: readonly MovedRow[],
): Promise<Set<ClaimedRow>> {
  if (moved.length === 0) return new Set()
  const members = memberTableId === null ? null : membersTable(memberTableId)
  const waits =
    members === null
      ? sql`d.member_id < 0`
      : sql`(d.member_id < 0 or exists (
          select from ${members} as m
          where m.client_id = d.client_id and m.member_id = d.member_id and lower(m.email) = moved.address))`
  const { rows } = await sql<{ member_id: number }>`
    select distinct moved.member_id
    from (
      select member_id, lower(email) as address
      from unnest(${moved.map(({ row }) => row.memberId)}::bigint[], ${moved.map(({ movedTo }) => movedTo)}::text[])
        as m (member_id, email)
    ) moved
    join delivery d on lower(d.email) = moved.address and d.member_id <> moved.member_id
    where d.client_id = ${clientId} and d.campagne_id = ${campaignId}
      and (${mayHaveArrived('d')} or d.state in ('pending', 'deferred') and ${waits}
        or d.state = 'claimed' and d.member_id <> all(${moved.map(({ row }) => row.memberId)}::bigint[]))`.execute(
    db,
  )
  const ids = new Set(rows.map(row => row.member_id))
  return new Set(moved.flatMap(({ row }) => (ids.has(row.memberId) ? [row] : [])))
}

/**
 * Writes new addresses and providers of claimed rows to the ledger. The rows are not sent now: they are released and
 * claimed again, under the limits of the new provider.
 * @param lease the engine that claimed them
 */
export async function followAddresses(db: Db, lease: string, moved: readonly MovedRow[]): Promise<void> {
  if (moved.length === 0) return
  await sql`
    update delivery d
    set email = moved.email, provider_id = coalesce(
      (select min(provider_id) from provider, unnest(domains) as written
        where deleted_at is null and lower(written) = moved.domain),
      (select received.provider_id from receiving_domain received where received.domain = moved.domain), 0)
    from (
      select client_id, campagne_id, member_id, email, ${addressDomainOf(sql.ref('email'))} as domain
      from unnest(${moved.map(({ row }) => row.clientId)}::bigint[], ${moved.map(({ row }) => row.campaignId)}::bigint[],
        ${moved.map(({ row }) => row.memberId)}::bigint[], ${moved.map(({ movedTo }) => movedTo)}::text[])
        as m (client_id, campagne_id, member_id, email)
    ) moved
    where d.client_id = moved.client_id and d.campagne_id = moved.campagne_id and d.member_id = moved.member_id
      and d.lease = ${lease}::uuid and d.state = 'claimed'`.execute(db)
}
