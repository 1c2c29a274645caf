import * as contract from '@emma/contract/actions/mta-stats.ts'
import { mtaLinks, openMtaStats, readMtaStats } from '@emma/core/reports/read-mta-stats.ts'
import { accessibleClients } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { keepPrivate, mountShares } from '../mount-shares.ts'
import { sharedCampaign } from '../shared-campaign.ts'

/** Mounts the delivery figures of a campaign, and the links that show them without login. */
export function mountMtaStatsActions(http: Http): void {
  mountAction(http, contract.readMtaStats, ({ db, actor, params }) =>
    readMtaStats(db, actor, accessibleClients(actor), params.id),
  )

  mountAction(http, contract.viewMtaStats, ({ db, params, query, reply }) => {
    keepPrivate(reply)
    return openMtaStats(db, params.id, query.secret)
  })

  const { listMtaShares: list, shareMtaStats: share, revokeMtaShare: revoke } = contract
  mountShares(http, { list, share, revoke }, mtaLinks, sharedCampaign)
}
