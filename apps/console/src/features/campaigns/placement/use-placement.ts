import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { type IpciResult, listIpciResults } from '@emma/contract/actions/placement.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { ipci } from '@emma/contract/resources/ipci.ts'
import { mostMailboxes } from '@emma/contract/placements.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../shell/session/api.ts'

type Check = RecordOf<typeof ipci>

/** Refetch interval in ms while mails are awaited. */
const refreshEvery = 4_000

const openStates: readonly number[] = [campaignState.scheduled, campaignState.running]

/** Placement checks of a campaign, newest first, and the results of the chosen one. */
export function usePlacement(campaignId: number, isOn: boolean, chosenId: number | null) {
  const checks = useQuery({
    queryKey: queryKeys.list(ipci, { filters: { campagne_id: [campaignId] } }),
    queryFn: ({ signal }) =>
      api.list(
        ipci,
        {
          filters: { campagne_id: [campaignId] },
          sort: { field: 'created_at', descending: true },
          limit: 25,
        },
        { ignoreCache: true, signal },
      ),
    enabled: isOn,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isOpen) ? refreshEvery : false),
  })
  const rows: readonly Check[] = checks.data?.data ?? []
  const check = rows.find(({ ipci_id }) => ipci_id === chosenId) ?? rows[0] ?? null
  const results = useQuery({
    // The figures are part of the key: each arrival refetches.
    queryKey: queryKeys.action(listIpciResults, {
      ipci_id: check?.ipci_id ?? 0,
      state: check && [check.valid, check.nb_waiting],
    }),
    queryFn: ({ signal }) =>
      api.call(listIpciResults, {
        query: { ipci_id: check?.ipci_id, limit: mostMailboxes, skip: 0 },
        ignoreCache: true,
        signal,
      }),
    enabled: isOn && check !== null,
    placeholderData: before => before,
  })
  const shown: readonly IpciResult[] = (results.data?.data ?? []).filter(
    row => row.ipci_id === check?.ipci_id,
  )
  return {
    checks: rows,
    check,
    results: shown,
    isPending: checks.isPending,
    error: checks.error ?? results.error,
  }
}

export function isOpen({ valid }: Check): boolean {
  return openStates.includes(valid)
}
