import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from '../campaign-key.ts'

/**
 * A person decides to send again what may or may not have been sent: all unknown rows of the campaign become due, and a
 * finished campaign runs again. To leave them is to do nothing.
 *
 * @returns the number of rows put back
 */
export function resolveUnknown(sql: Sql, key: CampaignKey): Promise<number> {
  return transaction(sql, async tx => {
    const count = await putUnknownBack(tx, key)
    if (count === 0) return 0
    const { rows } = await raw<{ name: string }>`
      update campaign set valid = ${campaignState.running}, finished_at = null, updated_at = now()
      where client_id = ${key.clientId} and campagne_id = ${key.campaignId} and valid = ${campaignState.finished}
      returning name`.execute(tx)
    for (const { name } of rows) {
      const data = { campagne_id: key.campaignId, name, valid: campaignState.running }
      await publish(tx, { client_id: key.clientId, type: 'CAMPAIGN_STATUS', data })
    }
    return count
  })
}

/** Unknown rows become due again, of one lease or of the whole campaign. */
export async function putUnknownBack(
  tx: Sql,
  { clientId, campaignId }: CampaignKey,
  lease?: string,
): Promise<number> {
  const { numAffectedRows } = await raw`
    update delivery
    set state = 'pending', due_at = now(), lease = null
    where client_id = ${clientId} and campagne_id = ${campaignId} and state = 'unknown'
      ${lease === undefined ? raw`` : raw`and lease = ${lease}::uuid`}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
