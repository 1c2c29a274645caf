import { queryKeys } from '@emma/client/query-keys.ts'
import { splitReport } from '@emma/contract/actions/reports.ts'
import { variantLetter } from '@emma/contract/split.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useSocketMessage } from '../notifications/socket-provider.tsx'
import { api } from '../session/api.ts'

export type SplitReport = z.infer<typeof splitReport.response>

/** Refetch intervals in ms until the winner is chosen, and afterwards. */
const refreshEvery = { waiting: 5_000, over: 60_000 }

/** Report of a campaign's A/B test; undefined while it loads, and for campaigns without. */
export function useSplitReport(campaign: { client_id: number; campagne_id: number }, isSplit: boolean) {
  const { client_id, campagne_id } = campaign
  const report = useQuery({
    queryKey: queryKeys.action(splitReport, { client_id, campaign_id: campagne_id }),
    queryFn: ({ signal }) =>
      api.call(splitReport, { params: { client_id, campaign_id: campagne_id }, ignoreCache: true, signal }),
    enabled: isSplit,
    staleTime: 0,
    // Shortly after the start nobody is in a variant yet, and nothing tells when the recipients are there.
    refetchInterval: ({ state: { data } }) =>
      data?.waits || data?.parts.every(({ recipients }) => recipients === 0)
        ? refreshEvery.waiting
        : refreshEvery.over,
  })
  useSocketMessage('CAMPAIGN_STATUS', message => {
    if (isSplit && message.campagne_id === campagne_id) void report.refetch()
  })
  return report
}

/** What an A/B test is at, in one sentence; null for tests in which nobody waits for the winner. */
export function SplitState({ report }: { report: SplitReport }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { waits, result, winner, decided_at, decided_by, decides_at, sampled_at } = report
  const text = (key: string, values: Record<string, string> = {}) => t(`split_state.${key}`, values)
  if (result && decided_at !== null) {
    const time = format.dateTime(decided_at)
    const variant = winner === null ? '' : variantLetter(winner)
    if (result.reason !== 'person') return text(winner === null ? 'nobody' : result.reason, { time, variant })
    const person = decided_by ?? t('split_state.some_user')
    return text(winner === null ? 'person_nobody' : 'person', { time, variant, person })
  }
  if (!waits) return null
  if (sampled_at === null) return text('sampling')
  return decides_at === null ? text('asks') : text('decides', { time: format.dateTime(decides_at) })
}
