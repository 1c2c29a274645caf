import {
  mostCompared,
  type SalesOptions,
  type SalesReport,
  type SalesRow,
  salesRow,
  type viewComparison,
} from '@emma/contract/actions/sales-view.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import { shareLinks } from '../platform/share-links.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { listReports } from './list-reports.ts'
import { type Figures, readFigures } from './read-figures.ts'
import { readLinks, readOverTime } from './read-report.ts'

/** Links to the sales view of a report. */
export const reportLinks = shareLinks<SalesOptions>({
  table: 'report_share',
  key: 'campagne_id',
  object: 'campaign',
  permission: 'EmmaReport:get',
})

/** Links to the comparison of a report group. */
export const comparisonLinks = shareLinks<SalesOptions>({
  table: 'reporting_group_share',
  key: 'reportinggroup_id',
  object: 'reportinggroup',
  permission: 'EmmaReport:get',
})

/** A report without what its customer does not need to see (R200). Throws `not_found`. */
export async function readSalesView(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  campaignId: number,
  options: SalesOptions,
): Promise<SalesReport> {
  const campaign = await campaignOperations.find(db, actor, scope, campaignId)
  const of = { clientId: campaign.client_id, campaignId }
  const [figures, client, overTime, links] = await Promise.all([
    readFigures(db, of.clientId, [campaignId]),
    db.selectFrom('client').select('name').where('client_id', '=', of.clientId).executeTakeFirstOrThrow(),
    readOverTime(db, of),
    readLinks(db, of),
  ])
  const [counted] = figures
  if (!counted) throw new EmmaError('not_found')
  return {
    ...salesRowOf({ ...campaign, ...counted }, options),
    client: client.name,
    expires_at: null,
    opens_clicks_over_time: overTime,
    links: links.map(({ machine: _machine, ...link }) => link),
  }
}

/** Sales view of a report for the secret of a link. Throws `not_found`, whatever is wrong. */
export async function openSalesView(db: Db, campaignId: number, secret: string): Promise<SalesReport> {
  const { clientId, maker, options, expires_at } = await reportLinks.open(db, campaignId, secret)
  const report = await readSalesView(db, maker, { clientIds: [clientId] }, campaignId, options)
  return { ...report, expires_at }
}

/** Comparison of a report group's campaigns for the secret of a link. Throws `not_found`, whatever is wrong. */
export async function openComparison(
  db: Db,
  groupId: number,
  secret: string,
): Promise<Answer<typeof viewComparison>> {
  const { clientId, maker, options, expires_at } = await comparisonLinks.open(db, groupId, secret)
  const { rows } = await sql<{ name: string; client: string }>`
    select g.name, c.name as client
    from reporting_group as g join client as c on c.client_id = g.client_id
    where g.client_id = ${clientId} and g.reportinggroup_id = ${groupId} and g.deleted_at is null`.execute(db)
  const [group] = rows
  if (!group) throw new EmmaError('not_found')
  const page = await listReports(
    db,
    maker,
    { clientIds: [clientId] },
    {
      limit: mostCompared,
      offset: 0,
      search: null,
      sort: null,
      filters: { reportinggroup_id: [groupId] },
      included: [],
      superadminview: false,
    },
  )
  return {
    ...group,
    expires_at,
    reports: page.data.map(row => salesRowOf(row, options)),
    total: page.total,
  }
}

/** Leaves out every figure but those of the sales view. */
function salesRowOf(
  row: Figures & Pick<SalesRow, 'name' | 'started_at' | 'finished_at'>,
  { shows_complaints, shows_preblocks }: SalesOptions,
): SalesRow {
  return salesRow.parse({
    ...row,
    nb_complaint: shows_complaints ? row.nb_complaint : null,
    nb_preblock: shows_preblocks ? row.nb_preblock : null,
  })
}
