import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { TenantScope } from '../resource/actor.ts'

/**
 * Locks a campaign's row until the end of the transaction. Read its state only after this: the engine may be about to
 * start it. Does not report a missing campaign; reading it does.
 *
 * @returns whether its recipients have been written to the ledger, and whether some of them wait for the winner of its
 * A/B test
 */
export async function lockCampaign(
  tx: Db,
  scope: TenantScope,
  id: number,
): Promise<{ isExpanded: boolean; waitsForWinner: boolean }> {
  let query = tx
    .selectFrom('campaign')
    .select(sql<boolean>`expanded_at is not null`.as('isExpanded'))
    .select(sql<boolean>`split_waits and split_decided_at is null`.as('waitsForWinner'))
    .where('campagne_id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
  if (scope.clientIds !== 'all') query = query.where('client_id', 'in', [...scope.clientIds, -1])
  return (await query.executeTakeFirst()) ?? { isExpanded: false, waitsForWinner: false }
}
