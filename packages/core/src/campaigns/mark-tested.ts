import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Stores that all recipients' servers accepted a test of the campaign, if the test was of the campaign's message. Does
 * not change the revision, so that editors have nothing to merge.
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
