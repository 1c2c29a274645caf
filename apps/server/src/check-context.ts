import { countSegment } from '@emma/core/audience/count-segment.ts'
import type { CheckContext } from '@emma/core/campaigns/check-campaign.ts'
import type { Config } from './config.ts'

/** What the check of a campaign asks of other areas: whom it would reach, and where links lead. */
export function checkContext(config: Config): CheckContext {
  return {
    trackingBase: config.trackingUrl,
    async countRecipients(sql, campaign) {
      const count = await countSegment(
        sql,
        { clientIds: [Number(campaign.client_id)] },
        {
          list_id: Number(campaign.list_id),
          excludes: numbers(campaign.exclude_list_ids),
          blacklist_ids: numbers(campaign.blacklist_ids),
          capping_id: typeof campaign.capping_id === 'number' ? campaign.capping_id : null,
        },
      )
      return count.estimated_volume
    },
  }
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : []
}
