import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/** Index of the variant that a member got, or was to get: of the sample, or the winner. */
export async function readVariant(
  db: Db,
  { clientId, campaignId, memberId }: { clientId: number; campaignId: number; memberId: number },
): Promise<number> {
  const { rows } = await sql<{ variant: number | null }>`
    select coalesce(d.variant, c.split_winner) as variant
    from campaign c
    left join delivery d on d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.member_id = ${memberId}
    where c.client_id = ${clientId} and c.campagne_id = ${campaignId}`.execute(db)
  return rows[0]?.variant ?? 0
}
