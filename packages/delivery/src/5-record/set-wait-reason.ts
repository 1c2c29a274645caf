import { campaignState } from '@emma/contract/campaign-states.ts'
import type { Fault } from '@emma/contract/faults.ts'
import { assignError } from '@emma/core/campaigns/campaign-error.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { addNotificationOnce } from '@emma/core/notifications/add-notification-once.ts'

interface Waiting {
  client_id: number
  campagne_id: number
  name: string
}

/**
 * Sets or clears the wait reason of a running campaign, with one notification. A campaign without due rows has no
 * wait reason.
 * @param reason null clears it
 */
export function setWaitReason(db: Db, key: CampaignKey, reason: Fault | null): Promise<void> {
  const error = reason?.message ?? null
  return transaction(db, async tx => {
    const { rows } = await sql<Waiting>`
      update campaign c set ${assignError(reason)}, updated_at = now()
      where client_id = ${key.clientId} and campagne_id = ${key.campaignId} and valid = ${campaignState.running}
        and error is distinct from ${error} and (${error}::text is null or ${isDue})
      returning client_id, campagne_id, name`.execute(tx)
    await announce(tx, rows)
    for (const { name } of reason === null ? [] : rows)
      await addNotificationOnce(tx, {
        clientId: key.clientId,
        permission: 'EmmaCampaign:get',
        kind: 'warning',
        code: 'campaign_waiting',
        details: { name, reason: error ?? '', ...(reason && { fault: reason }) },
        text: `The campaign “${name}” waits: ${error}`,
        path: `/campaigns/start/${key.campaignId}`,
      })
  })
}

/** Clears the wait reason of running campaigns without due rows: no message would clear it. */
export async function clearWaitReasons(db: Db): Promise<void> {
  const { rows: found } = await sql`select from campaign c where ${waitsForNothing} limit 1`.execute(db)
  if (found.length > 0)
    await transaction(db, async tx => {
      const { rows } = await sql<Waiting>`
        update campaign c set ${assignError(null)}, updated_at = now() where ${waitsForNothing}
        returning client_id, campagne_id, name`.execute(tx)
      await announce(tx, rows)
    })
}

/** Scalar subqueries: one lookup each in an index that contains exactly these rows. */
const isDue = sql<boolean>`(
  (select 1 from delivery d
    where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state in ('pending', 'deferred')
      and d.due_at <= now()
    limit 1) is not null
  or (select 1 from delivery d
    where d.client_id = c.client_id and d.campagne_id = c.campagne_id and d.state = 'claimed'
    limit 1) is not null)`

const waitsForNothing = sql<boolean>`
  (c.valid = ${campaignState.running} and c.error is not null and c.expanded_at is not null and not ${isDue})`

async function announce(tx: Db, waiting: readonly Waiting[]): Promise<void> {
  for (const { client_id, campagne_id, name } of waiting)
    await publish(tx, {
      client_id,
      type: 'CAMPAIGN_STATUS',
      data: { campagne_id, name, valid: campaignState.running },
    })
}
