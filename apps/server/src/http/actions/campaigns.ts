import * as campaigns from '@emma/contract/actions/campaigns.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { checkCampaign } from '@emma/core/campaigns/check-campaign.ts'
import { listHistory } from '@emma/core/campaigns/list-history.ts'
import { moveCampaign } from '@emma/core/campaigns/move-campaign.ts'
import { accessibleClients, scopeOf } from '@emma/core/resource/actor.ts'
import { resolveUnknown } from '@emma/delivery/5-record/resolve-unknown.ts'
import { checkContext } from '../../check-context.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Check, start, pause, stop and what else moves a campaign. */
export function mountCampaignActions(http: Http): void {
  mountAction(http, campaigns.checkCampaign, async ({ sql, actor, params, config }) => {
    const campaign = await campaignOperations.find(sql, actor, accessibleClients(actor), params.id)
    return checkCampaign(sql, campaign, checkContext(config))
  })

  mountAction(http, campaigns.resolveUnknown, async ({ sql, actor, params }) => {
    const campaign = await campaignOperations.find(sql, actor, accessibleClients(actor), params.id)
    return {
      resent: await resolveUnknown(sql, { clientId: Number(campaign.client_id), campaignId: params.id }),
    }
  })

  mountAction(http, campaigns.moveCampaign, ({ sql, actor, params, body, config }) =>
    moveCampaign(sql, actor, accessibleClients(actor), params.id, params.action, { ...body }, checkContext(config)),
  )

  mountAction(http, campaigns.campaignHistory, async ({ sql, actor, params }) => ({
    data: await listHistory(sql, actor, scopeOf(actor, params.client_id), params.campaign_id),
  }))
}
