import { readCampaignQueue as campaignQueue } from '@emma/contract/actions/campaign-queue.ts'
import * as campaigns from '@emma/contract/actions/campaigns.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { listSendOnceKeys } from '@emma/core/audience/list-send-once-keys.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { checkCampaign } from '@emma/core/campaigns/check-campaign.ts'
import { listHistory } from '@emma/core/campaigns/list-history.ts'
import { readCampaignQueue } from '@emma/core/campaigns/queue/read-campaign-queue.ts'
import { moveCampaign } from '@emma/core/campaigns/move-campaign.ts'
import { resendCampaign } from '@emma/core/campaigns/resend-campaign.ts'
import { chooseByUser } from '@emma/core/campaigns/split/choose-by-user.ts'
import { accessibleClients, ownClient, scopeOf } from '@emma/core/resource/actor.ts'
import { resolveUnknown } from '@emma/delivery/5-record/resolve-unknown.ts'
import { checkContext } from '../../check-context.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'

/** Mounts check, start, pause, stop and the other state changes of a campaign. */
export function mountCampaignActions(http: Http): void {
  mountAction(http, campaigns.checkCampaign, async ({ db, actor, params, config }) => {
    const campaign = await campaignOperations.find(db, actor, accessibleClients(actor), params.id)
    return checkCampaign(db, campaign, checkContext(config, http.previews.compile))
  })

  mountAction(http, campaignQueue, ({ db, actor, params }) =>
    readCampaignQueue(db, actor, accessibleClients(actor), params.id),
  )

  mountAction(http, campaigns.listSendOnceKeys, async ({ db, actor, params, query }) => {
    const clientId = ownClient(actor, params.client_id)
    if (!(await clientExists(db, clientId))) throw new EmmaError('not_found')
    return { data: await listSendOnceKeys(db, clientId, query.search?.trim() || null) }
  })

  mountAction(http, campaigns.resolveUnknown, async ({ db, actor, params }) => {
    const campaign = await campaignOperations.find(db, actor, accessibleClients(actor), params.id)
    return {
      resent: await resolveUnknown(db, { clientId: campaign.client_id, campaignId: params.id }),
    }
  })

  mountAction(http, campaigns.resendCampaign, ({ db, actor, params, body }) =>
    resendCampaign(db, actor, accessibleClients(actor), params.id, body),
  )

  mountAction(http, campaigns.moveCampaign, ({ db, actor, params, body, config }) =>
    moveCampaign(
      db,
      actor,
      accessibleClients(actor),
      params.id,
      params.action,
      { ...body },
      checkContext(config, http.previews.compileAtOnce),
    ),
  )

  mountAction(http, campaigns.chooseWinner, ({ db, actor, params, body }) =>
    chooseByUser(db, actor, scopeOf(actor, params.client_id), params.campaign_id, body.variant),
  )

  mountAction(http, campaigns.campaignHistory, async ({ db, actor, params }) => ({
    data: await listHistory(db, actor, scopeOf(actor, params.client_id), params.campaign_id),
  }))
}
