import * as contract from '@emma/contract/actions/sales-view.ts'
import type { SharedRecord } from '@emma/core/platform/share-links.ts'
import { reportingGroupOperations } from '@emma/core/reports/reporting-group-operations.ts'
import {
  comparisonLinks,
  openComparison,
  openSalesView,
  readSalesView,
  reportLinks,
} from '@emma/core/reports/sales-view.ts'
import { accessibleClients, type Actor } from '@emma/core/resource/actor.ts'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { keepPrivate, mountShares } from '../mount-shares.ts'
import { sharedCampaign } from '../shared-campaign.ts'

/** Mounts the sales view of reports, comparisons of report groups, and the links that show them without login. */
export function mountSalesViewActions(http: Http): void {
  mountAction(http, contract.readSalesView, ({ db, actor, params, query }) =>
    readSalesView(db, actor, accessibleClients(actor), params.id, query),
  )

  mountAction(http, contract.viewSalesReport, ({ db, params, query, reply }) => {
    keepPrivate(reply)
    return openSalesView(db, params.id, query.secret)
  })

  mountAction(http, contract.viewComparison, ({ db, params, query, reply }) => {
    keepPrivate(reply)
    return openComparison(db, params.id, query.secret)
  })

  const { listReportShares: list, shareReport: share, revokeReportShare: revoke } = contract
  mountShares(http, { list, share, revoke }, reportLinks, sharedCampaign)
  mountShares(
    http,
    {
      list: contract.listComparisonShares,
      share: contract.shareComparison,
      revoke: contract.revokeComparisonShare,
    },
    comparisonLinks,
    sharedGroup,
  )
}

/** Throws `not_found`. */
async function sharedGroup(db: Http['db'], actor: Actor, { id }: { id: number }): Promise<SharedRecord> {
  const group = await reportingGroupOperations.find(db, actor, accessibleClients(actor), id)
  return { clientId: group.client_id, id }
}
