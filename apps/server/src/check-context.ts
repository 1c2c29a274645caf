import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { audienceQuestion } from '@emma/core/campaigns/audience-question.ts'
import type { CheckContext } from '@emma/core/campaigns/check-campaign.ts'
import type { Config } from './config.ts'

/** Functions of other areas for the check of a campaign: segment members and tracking URLs. */
export function checkContext(config: Config): CheckContext {
  return {
    trackingBase: config.trackingUrl,
    async countRecipients(db, campaign) {
      const scope = { clientIds: [campaign.client_id] }
      const count = await countSegment(db, scope, audienceQuestion(campaign))
      return count.estimated_volume
    },
  }
}
