import { Readable } from 'node:stream'
import * as reports from '@emma/contract/actions/reports.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { listRecipients } from '@emma/core/reports/list-recipients.ts'
import { listReports } from '@emma/core/reports/list-reports.ts'
import { readLinks, readPreblocks, readProviders, readReport } from '@emma/core/reports/read-report.ts'
import { campaignOperations } from '@emma/core/campaigns/campaign-operations.ts'
import { type Actor, mayReach, reach, scopeOf, type TenantScope } from '@emma/core/resource/actor.ts'
import type { Fields } from '@emma/core/resource/operations.ts'
import type { Sql } from '@emma/db/connection.ts'
import { stringify } from 'csv-stringify'
import type { z } from 'zod'
import type { Http } from '../http.ts'
import { mountAction } from '../mount-action.ts'
import { presentAll, presentPage } from '../page.ts'

/** Reports: lists, one campaign's figures, the people behind them. */
export function mountReportActions(http: Http): void {
  mountAction(http, reports.listReports, async ({ sql, actor, query }) => {
    const wanted = parseListQuery(campaign, query)
    const page = await listReports(
      sql,
      actor,
      scopeOfList(actor, wanted.filters.client_id, wanted.superadminview),
      wanted,
    )
    return presentPage(page, wanted.limit, wanted.offset)
  })

  mountAction(http, reports.findReport, ({ sql, actor, params }) =>
    readReport(sql, actor, reach(actor), params.id),
  )

  mountAction(http, reports.viewReport, ({ sql, actor, params }) =>
    readReport(sql, actor, scopeOf(actor, params.client_id), params.campaign_id),
  )

  const parts: readonly [Part, ReadPart][] = [
    [reports.clickReport, readLinks],
    [reports.mtaReport, readProviders],
    [reports.preblockReport, readPreblocks],
  ]
  for (const [action, read] of parts)
    mountAction(http, action, async ({ sql, actor, params }) => {
      const scope = scopeOf(actor, params.client_id)
      await campaignOperations.find(sql, actor, scope, params.campaign_id)
      return presentAll(await read(sql, { clientId: params.client_id, campaignId: params.campaign_id }))
    })

  mountAction(http, reports.listRecipients, async ({ sql, actor, params, query }) =>
    presentPage(await listRecipients(sql, actor, reach(actor), params.id, query), query.limit, query.offset),
  )

  mountAction(http, reports.downloadReport, async ({ sql, actor, params, query, reply }) => {
    const scope = reach(actor)
    const first = await listRecipients(sql, actor, scope, params.id, { ...query, limit: step, offset: 0 })
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="campaign-${params.id}.csv"`)
    const rows = async function* () {
      let page = first
      for (let offset = 0; page.data.length > 0; offset += step) {
        yield* page.data.map(row => columns.map(column => plain(row[column])))
        if (page.data.length < step) return
        page = await listRecipients(sql, actor, scope, params.id, {
          ...query,
          limit: step,
          offset: offset + step,
        })
      }
    }
    return Readable.from(rows()).pipe(stringify({ header: true, columns: [...columns], bom: true }))
  })
}

/** The parts of a report that have paths of their own; they differ in their rows alone. */
type Part = Omit<typeof reports.viewReport, 'response'> & { response: z.ZodType }
type ReadPart = (sql: Sql, of: { clientId: number; campaignId: number }) => Promise<Fields[]>

const step = 1000
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
] as const

/** A spreadsheet must not take a reply for a formula. */
function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function scopeOfList(actor: Actor, wanted: unknown[] | undefined, superadminview: boolean): TenantScope {
  if (superadminview && actor.superadmin) return { clientIds: 'all' }
  if (wanted && wanted.length > 0) return { clientIds: wanted.map(Number).filter(id => mayReach(actor, id)) }
  return { clientIds: actor.clientId === null ? [] : [actor.clientId] }
}
