import { queryKeys } from '@emma/client/query-keys.ts'
import { listReports } from '@emma/contract/actions/reports.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isAtWork } from '../../shell/resource/campaign-state.tsx'
import { shareOf } from '../../shell/resource/share-of.ts'
import { api } from '../../shell/session/api.ts'
import type { Campaign } from './editor/campaign-steps.ts'
import { isStarted } from './use-campaign-actions.tsx'

type Report = Answer<typeof listReports>['data'][number]

/** Milliseconds between updates of a campaign that is being sent. */
const UPDATE_MS = 15_000

/** Share of the delivered emails of a campaign that were opened or clicked; a dash before its start. */
export function CampaignRate({
  campaign,
  figure,
}: {
  campaign: Campaign
  figure: 'nb_open' | 'nb_click'
}): ReactNode {
  const format = useFormat()
  const { campagne_id: id, valid } = campaign
  const { data } = useQuery({
    queryKey: queryKeys.action(listReports, { campagne_id: id }),
    queryFn: () => reportOf(id),
    enabled: isStarted(campaign),
    staleTime: UPDATE_MS,
    refetchInterval: isAtWork(valid) ? UPDATE_MS : false,
  })
  return format.percent(data && shareOf(data[figure], data.nb_delivered))
}

interface Batch {
  ids: number[]
  reports: Promise<ReadonlyMap<number, Report>>
}

let batch: Batch | null = null

/** The report of a campaign; those that are asked for together come with one call. */
async function reportOf(id: number): Promise<Report | null> {
  batch ??= openBatch()
  batch.ids.push(id)
  return (await batch.reports).get(id) ?? null
}

function openBatch(): Batch {
  const ids: number[] = []
  const load = async () => {
    await new Promise(resolve => setTimeout(resolve))
    batch = null
    const { data } = await api.call(listReports, { query: { campagne_id: ids, limit: ids.length } })
    return new Map(data.map(row => [row.campagne_id, row]))
  }
  return { ids, reports: load() }
}
