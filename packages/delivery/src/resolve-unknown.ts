import { campaignState } from '@emma/contract/campaign-states.ts'
import { type Sql, transaction } from '@emma/db/connection.ts'
import { sql as raw } from 'kysely'
import type { CampaignKey } from './campaign-key.ts'

/**
 * Sends mails again whose fate is unknown because a sender died with them in flight: on purpose, since a receiver may
 * already have them. A finished campaign runs again for them. Answers how many.
 */
export function resolveUnknown(sql: Sql, { clientId, campaignId }: CampaignKey): Promise<number> {
  return transaction(sql, async tx => {
    const { running, finished, paused } = campaignState
    const campaign = await raw`
      update campaign set valid = case when valid = ${finished} then ${running} else valid end, finished_at = null
      where client_id = ${clientId} and campagne_id = ${campaignId} and valid in (${running}, ${finished}, ${paused})
      returning 1`.execute(tx)
    if (campaign.rows.length === 0) return 0
    const again = await raw`
      update delivery set state = 'pending', due_at = now(), lease = null
      where client_id = ${clientId} and campagne_id = ${campaignId} and state = 'unknown'
      returning 1`.execute(tx)
    return again.rows.length
  })
}
