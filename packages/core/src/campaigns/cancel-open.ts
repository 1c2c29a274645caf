import type { Sql } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Cancels what a campaign has not sent and never will: it was stopped, archived or deleted. It has ended with that, so
 * that no frequency cap counts its mails.
 */
export async function cancelOpen(
  tx: Sql,
  { clientId, campaignId }: { clientId: number; campaignId: number },
): Promise<void> {
  await sql`
    update delivery set state = 'cancelled', recorded_at = now()
    where client_id = ${clientId} and campagne_id = ${campaignId} and state in ('pending', 'deferred')`.execute(
    tx,
  )
  await sql`
    update campaign set finished_at = now()
    where client_id = ${clientId} and campagne_id = ${campaignId}
      and finished_at is null and expanded_at is not null`.execute(tx)
}
