import { countSegment } from '@emma/core/audience/segments/count-segment.ts'
import { audienceQuestion } from '@emma/core/campaigns/audience-question.ts'
import type { CheckContext } from '@emma/core/campaigns/check-campaign.ts'
import type { CompileSource } from '@emma/core/content/compile-message.ts'
import type { Config } from './config.ts'
import { feedFetcher } from './content/feeds/fetch-feed.ts'

/** Functions of other areas for the check of a campaign: segment members, compiler, tracking URLs and feeds. */
export function checkContext(config: Config, compile: CompileSource): CheckContext {
  return {
    compile,
    trackingBase: config.trackingUrl,
    fetchFeed: feedFetcher(config.deriveKey('secrets at rest')),
    async countRecipients(db, campaign) {
      const scope = { clientIds: [campaign.client_id] }
      const count = await countSegment(db, scope, audienceQuestion(campaign))
      return count.estimated_volume
    },
  }
}
