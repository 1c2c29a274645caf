import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Keeps that a test of the campaign was accepted everywhere, if it was of the campaign's own message. Leaves the revision
 * alone: who is editing the campaign has nothing to merge.
 */
export async function markTested(
  db: Db,
  clientId: number,
  { campaignId, messageId }: { campaignId: number; messageId: number },
): Promise<void> {
  await sql`
    update campaign set tested_at = now()
    where client_id = ${clientId} and campagne_id = ${campaignId} and message_id = ${messageId}
      and deleted_at is null`.execute(db)
}
