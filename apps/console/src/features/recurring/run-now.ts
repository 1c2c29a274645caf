import { listRecurringRuns, runRecurring } from '@emma/contract/actions/recurring.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { recurring } from '@emma/contract/resources/recurring.ts'
import { refresh } from '../../shell/resource/record-calls.ts'
import { queryClient } from '../../shell/resource/query-client.ts'
import { api } from '../../shell/session/api.ts'

/** Sends a run now. @throws ApiError with the errors of the check */
export async function runNow(id: number): Promise<void> {
  await api.call(runRecurring, { params: { id } })
  await Promise.all([
    refresh(recurring),
    refresh(campaign),
    queryClient.invalidateQueries({ queryKey: ['action', listRecurringRuns.name] }),
  ])
}
