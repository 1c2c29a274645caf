import { readDoiReport } from '@emma/core/reports/read-doi-report.ts'
import { Readable } from 'node:stream'
import * as reports from '@emma/contract/actions/reports.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { csvText } from '@emma/contract/csv.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import {
  type ExportedRecipient,
  exportRecipients,
  listRecipients,
} from '@emma/core/reports/list-recipients.ts'
import { clientExists } from '@emma/core/files/file-host.ts'
import { lastResults } from '@emma/core/reports/last-results.ts'
import { listReports } from '@emma/core/reports/list-reports.ts'
import { readLinks, readPreblocks, readProviders, readReport } from '@emma/core/reports/read-report.ts'
import { readLearnedReport } from '@emma/core/reports/read-learned-report.ts'
import { readSplitReport } from '@emma/core/reports/read-split-report.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import {
  type Actor,
  canAccessClient,
  accessibleClients,
  scopeOf,
  type TenantScope,
} from '@emma/core/resource/actor.ts'
import { mayReadMembers, withoutMembers } from '@emma/core/resource/member-rights.ts'
import type { z } from 'zod'
import type { Http } from '../http.ts'
import { type Call, mountAction } from '../mount-action.ts'
import { presentAll, presentPage } from '../page.ts'

/** Mounts reports: lists, the figures of a campaign, and their recipients. */
export function mountReportActions(http: Http): void {
  mountAction(http, reports.listReports, async ({ db, actor, query }) => {
    const wanted = parseListQuery(campaign, query)
    const page = await listReports(
      db,
      actor,
      scopeOfList(actor, wanted.filters.client_id, wanted.superadminview),
      wanted,
    )
    return presentPage(page, wanted.limit, wanted.offset)
  })

  mountAction(http, reports.findReport, async ({ db, actor, params }) =>
    withoutMembers(actor, await readReport(db, actor, accessibleClients(actor), params.id)),
  )

  mountAction(http, reports.viewReport, async ({ db, actor, params }) => {
    const scope = scopeOf(actor, params.client_id)
    return withoutMembers(actor, await readReport(db, actor, scope, params.campaign_id))
  })

  const ofCampaign = async ({ db, actor, params }: PartCall) => {
    const { client_id: clientId, campaign_id: campaignId } = params
    await campaignOperations.find(db, actor, scopeOf(actor, clientId), campaignId)
    return { clientId, campaignId }
  }
  mountAction(http, reports.clickReport, async call =>
    presentAll(await readLinks(call.db, await ofCampaign(call))),
  )
  mountAction(http, reports.splitReport, async ({ db, actor, params }) => {
    const scope = scopeOf(actor, params.client_id)
    return readSplitReport(db, await campaignOperations.find(db, actor, scope, params.campaign_id))
  })
  mountAction(http, reports.learnedReport, async ({ db, actor, params }) => {
    const scope = scopeOf(actor, params.client_id)
    return readLearnedReport(db, await campaignOperations.find(db, actor, scope, params.campaign_id))
  })
  mountAction(http, reports.mtaReport, async call =>
    presentAll(await readProviders(call.db, await ofCampaign(call))),
  )
  mountAction(http, reports.preblockReport, async call => {
    const rows = await readPreblocks(call.db, await ofCampaign(call))
    return presentAll(mayReadMembers(call.actor) ? rows : rows.map(row => ({ ...row, sample: [] })))
  })

  mountAction(http, reports.doiReport, async ({ db, actor, params, query }) => {
    scopeOf(actor, params.client_id)
    return presentPage(await readDoiReport(db, params.client_id, query), query.limit, query.offset)
  })

  mountAction(http, reports.lastResults, async ({ db, params, query }) => {
    if (!(await clientExists(db, params.client_id))) throw new EmmaError('not_found')
    return lastResults(db, params.client_id, query.message_ids)
  })

  mountAction(http, reports.listRecipients, async ({ db, actor, params, query }) =>
    presentPage(
      await listRecipients(db, actor, accessibleClients(actor), params.id, query),
      query.limit,
      query.offset,
    ),
  )

  mountAction(http, reports.downloadReport, async ({ db, actor, params, query, reply }) => {
    const rows = exportRecipients(db, actor, accessibleClients(actor), params.id, query)
    // An unknown campaign must be an error before the file begins.
    const first = await rows.next()
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="campaign-${params.id}.csv"`)
    const lines = async function* () {
      yield `\ufeff${csvText([columns], ',')}`
      if (first.done) return
      yield csvText([lineOf(first.value)], ',')
      for await (const row of rows) yield csvText([lineOf(row)], ',')
    }
    return Readable.from(lines())
  })
}

/** Request of the parts of a report with paths of their own. */
type PartCall = Pick<
  Call<z.output<typeof reports.viewReport.params>, unknown, unknown>,
  'db' | 'actor' | 'params'
>

const columns = [
  'member_id',
  'email',
  'state',
  'skip_reason',
  'attempts',
  'smtp_code',
  'enhanced',
  'reply',
  'provider',
  'variant',
  'recorded_at',
  'open_at',
  'click_at',
  'unsubscribe_at',
  'complaint_at',
  'bounce_at',
] as const

function lineOf(row: ExportedRecipient): unknown[] {
  return columns.map(column => row[column])
}

function scopeOfList(actor: Actor, wanted: unknown[] | undefined, superadminview: boolean): TenantScope {
  if (superadminview && actor.superadmin) return { clientIds: 'all' }
  if (wanted && wanted.length > 0)
    return { clientIds: wanted.map(Number).filter(id => canAccessClient(actor, id)) }
  return { clientIds: actor.clientId === null ? [] : [actor.clientId] }
}
