import type { listReports as contract } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import type { ListQuery } from '@emma/contract/list-query.ts'
import type { Listed } from '@emma/contract/resource-schemas.ts'
import type { campaign } from '@emma/contract/resources/campaign.ts'
import type { Db } from '@emma/db/connection.ts'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Page } from '../resource/operations.ts'
import { type Figures, readFigures } from './read-figures.ts'

type ReportRow = Answer<typeof contract>['data'][number]

/** Reports of started campaigns, newest first; includes held and failed ones (R198). */
export async function listReports(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  query: ListQuery,
): Promise<Page<ReportRow>> {
  const page = await campaignOperations.list(db, actor, scope, {
    ...query,
    sort: query.sort ?? { field: 'started_at', descending: true },
    filters: { ...query.filters, started: [true] },
  })
  const figures = await figuresOf(db, page)
  return {
    ...page,
    data: page.data.flatMap(campaign => {
      const counted = figures.get(campaign.campagne_id)
      return counted
        ? [
            {
              client_id: campaign.client_id,
              name: campaign.name,
              member_table_id: campaign.member_table_id,
              valid: campaign.valid,
              startdate: campaign.startdate,
              started_at: campaign.started_at,
              finished_at: campaign.finished_at,
              estimated_volume: campaign.estimated_volume,
              progress_cur: campaign.progress_cur,
              ...counted,
            },
          ]
        : []
    }),
  }
}

async function figuresOf(db: Db, page: Page<Listed<typeof campaign>>): Promise<Map<number, Figures>> {
  const byClient = Map.groupBy(page.data, row => row.client_id)
  const groups = await Promise.all(
    [...byClient].map(([clientId, campaigns]) =>
      readFigures(
        db,
        clientId,
        campaigns.map(row => row.campagne_id),
      ),
    ),
  )
  return new Map(groups.flat().map(figures => [figures.campagne_id, figures]))
}
