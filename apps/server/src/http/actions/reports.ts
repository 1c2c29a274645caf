import { Readable } from 'node:stream'
import * as reports from '@emma/contract/actions/reports.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { csvText } from '@emma/contract/csv.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { exportRecipients, listRecipients } from '@emma/core/reports/list-recipients.ts'
import { listReports } from '@emma/core/reports/list-reports.ts'
import { readLinks, readPreblocks, readProviders, readReport } from '@emma/core/reports/read-report.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import {
  type Actor,
  canAccessClient,
  accessibleClients,
  scopeOf,
  type TenantScope,
} from '@emma/core/resource/actor.ts'
import { mayReadMembers, rowsWithout, withoutMembers } from '@emma/core/resource/member-rights.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { Db } from '@emma/db/connection.ts'
import type { z } from 'zod'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
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

  const parts: readonly [Part, ReadPart][] = [
    [reports.clickReport, readLinks],
    [reports.mtaReport, readProviders],
    [reports.preblockReport, readPreblocks],
  ]
  for (const [action, read] of parts)
    mountAction(http, action, async ({ db, actor, params }) => {
      const scope = scopeOf(actor, params.client_id)
      await campaignOperations.find(db, actor, scope, params.campaign_id)
      const rows = await read(db, { clientId: params.client_id, campaignId: params.campaign_id })
      return presentAll(
        read === readPreblocks && !mayReadMembers(actor) ? rowsWithout(rows, { sample: [] }) : rows,
      )
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

/** Parts of a report with paths of their own, which differ only in their rows. */
type Part = Omit<typeof reports.viewReport, 'response'> & { response: z.ZodType }
type ReadPart = (db: Db, of: { clientId: number; campaignId: number }) => Promise<Fields[]>

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
  'recorded_at',
  'open_at',
  'click_at',
  'unsubscribe_at',
  'complaint_at',
  'bounce_at',
] as const

function lineOf(row: Fields): unknown[] {
  return columns.map(column => row[column])
}

function scopeOfList(actor: Actor, wanted: unknown[] | undefined, superadminview: boolean): TenantScope {
  if (superadminview && actor.superadmin) return { clientIds: 'all' }
  if (wanted && wanted.length > 0)
    return { clientIds: wanted.map(Number).filter(id => canAccessClient(actor, id)) }
  return { clientIds: actor.clientId === null ? [] : [actor.clientId] }
}
