import type { ListQuery } from '@emma/contract/list-query.ts'
import type { Db } from '@emma/db/connection.ts'
import { campaignOperations } from '../campaigns/campaign-operations.ts'
import type { Actor, TenantScope } from '../resource/actor.ts'
import type { Page } from '../resource/operations.ts'
import { type Figures, readFigures } from './read-figures.ts'

/** Reports of started campaigns, newest first; includes held and failed ones (R198). */
export async function listReports(db: Db, actor: Actor, scope: TenantScope, query: ListQuery): Promise<Page> {
  const page = await campaignOperations.list(db, actor, scope, {
    ...query,
    sort: query.sort ?? { field: 'started_at', descending: true },
    filters: { ...query.filters, started: [true] },
  })
  const figures = await figuresOf(db, page)
  return {
    ...page,
    data: page.data.map(campaign => ({
      campagne_id: campaign.campagne_id,
      client_id: campaign.client_id,
      name: campaign.name,
      member_table_id: campaign.member_table_id,
      valid: campaign.valid,
      startdate: campaign.startdate,
      started_at: campaign.started_at,
      finished_at: campaign.finished_at,
      estimated_volume: campaign.estimated_volume,
      progress_cur: campaign.progress_cur,
      ...figures.get(Number(campaign.campagne_id)),
    })),
  }
}

async function figuresOf(db: Db, page: Page): Promise<Map<number, Figures>> {
  const byClient = Map.groupBy(page.data, campaign => Number(campaign.client_id))
  const groups = await Promise.all(
    [...byClient].map(([clientId, campaigns]) =>
      readFigures(
        db,
        clientId,
        campaigns.map(campaign => Number(campaign.campagne_id)),
      ),
    ),
  )
  return new Map(groups.flat().map(figures => [figures.campagne_id, figures]))
}
