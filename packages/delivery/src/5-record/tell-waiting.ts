import { campaignState } from '@emma/contract/campaign-states.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'

/** A next hop that comes and goes is told of once in this time. */
const QUIET_HOURS = 6

/**
 * Says on a running campaign why nothing of it leaves, and tells its people once; or that it leaves again.
 *
 * @param error null when there is none any more
 */
export function tellWaiting(sql: Sql, key: CampaignKey, error: string | null): Promise<void> {
  const { clientId: client_id, campaignId: campagne_id } = key
  return transaction(sql, async tx => {
    const changed = await tx
      .updateTable('campaign')
      .set({ error, updated_at: raw`now()` })
      .where('client_id', '=', client_id)
      .where('campagne_id', '=', campagne_id)
      .where('valid', '=', campaignState.running)
      .where('error', 'is distinct from', error)
      .returning('name')
      .executeTakeFirst()
    if (!changed) return
    const { name } = changed
    await publish(tx, {
      client_id,
      type: 'CAMPAIGN_STATUS',
      data: { campagne_id, name, valid: campaignState.running },
    })
    if (error !== null) await notifyOnce(tx, key, name, error)
  })
}

async function notifyOnce(tx: Sql, key: CampaignKey, name: string, reason: string): Promise<void> {
  const path = `/campaigns/start/${key.campaignId}`
  const told = await tx
    .selectFrom('notification')
    .select('id')
    .where('client_id', '=', key.clientId)
    .where('code', '=', 'campaign_waiting')
    .where('path', '=', path)
    .where(raw<boolean>`created_at > now() - make_interval(hours => ${QUIET_HOURS})`)
    .executeTakeFirst()
  if (told) return
  await addNotification(tx, {
    clientId: key.clientId,
    permission: 'EmmaCampaign:get',
    kind: 'warning',
    code: 'campaign_waiting',
    details: { name, reason },
    text: `The campaign “${name}” waits: ${reason}`,
    path,
  })
}
