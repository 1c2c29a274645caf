import { readSegment, segmentMembers } from '@emma/core/audience/segment/segment-members.ts'
import type { CheckContext } from '@emma/core/campaigns/check-campaign.ts'
import { sql as raw } from 'kysely'
import type { Config } from './config.ts'

/** What the check of a campaign asks of other areas: how many members its segment has, and where links lead. */
export function checkContext(config: Config): CheckContext {
  return {
    trackingBase: config.trackingUrl,
    async countRecipients(sql, campaign) {
      const scope = { clientIds: [Number(campaign.client_id)] }
      const segment = await readSegment(sql, scope, Number(campaign.list_id))
      const members = await segmentMembers(sql, scope, segment)
      const counted = await raw<{
        count: number
      }>`select count(*) as count from (${members}) as member`.execute(sql)
      return counted.rows[0]?.count ?? 0
    },
  }
}
